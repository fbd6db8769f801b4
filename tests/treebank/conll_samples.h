#pragma once

namespace copse {

inline constexpr const char* kConlluSample =
    "# newdoc\n"
    "# sent_id = a-1\n"
    "# text = Vámonos al mar, que no\n"
    "1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=Yes\n"
    "1\tVamos\tir\tVERB\tV\tMood=Imp|Number=Plur\t0\troot\t0:root\t_\n"
    "2\tnos\tnosotros\tPRON\tP\tCase=Acc\t1\tobj\t1:obj|3.1:nsubj\t_\n"
    "3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\ta\ta\tADP\tS\t_\t5\tcase\t5:case\t_\n"
    "3.1\t_\tir\tVERB\tV\t_\t_\t_\t1:conj\tCopyOf=1\n"
    "3.2\t_\t_\t_\t_\t_\t_\t_\t3.1:obl\t_\n"
    "4\tel\tel\tDET\tD\t_\t5\tdet\t5:det\t_\n"
    "5\tmar\tmar\tNOUN\tN\t_\t1\tobl\t1:obl:a\tSpaceAfter=No\n"
    "6\t,\t,\tPUNCT\t,\t_\t_\t_\t_\t_\n"
    "\n"
    "# sent_id = a-2\n"
    "# text = 海 _\n"
    "0.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\t海\t海\tNOUN\tNN\t_\t0\troot\t_\t_\n"
    "2\t_\t_\tSYM\tNFP\t_\t1\tpunct\t_\t_\n"
    "\n";

inline constexpr const char* kConllxSample =
    "1\tCathy\tCathy\tN\teigen|ev|neut\teigen|ev|neut\t2\tsu\t2\tsu\n"
    "2\tzag\tzie\tV\ttrans|ovt|1of2of3|ev\t_\t0\tROOT\t0\tROOT\n"
    "3\then\thun\tPron\tper|3|mv|datofacc\t_\t2\tobj1\t_\t_\n"
    "4\t.\t.\tPunc\tpunt\tpunt\t3\tpunct\t3\tpunct\n"
    "\n"
    "1\tJa\tja\tAdv\tAdv\t_\t0\tROOT\t_\t_\n"
    "\n";

inline constexpr const char* kTab3Sample =
    "#\t#\t2\n"
    "5\tCD\t0\n"
    "million\tCD\t2\n"
    "\n"
    "Yes\tUH\t0\n"
    ".\t.\t_\n"
    "\n";

}  // namespace copse
