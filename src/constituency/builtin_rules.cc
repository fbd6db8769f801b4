#include <algorithm>
#include <array>
#include <utility>

#include "constituency/conversion_rules.h"

namespace copse {
namespace {

// docs/convert.md says where these come from.
constexpr std::string_view kEnglish =
    R"(# Penn Treebank, English: the head rules of Yamada and Matsumoto (2003)

NP      r POS NN NNP NNPS NNS; NX; JJR; CD; JJ; JJS; RB; QP; NP
NX      r POS NN NNP NNPS NNS; NX; JJR; CD; JJ; JJS; RB; QP; NP
ADJP    r NNS; QP; NN; $; ADVP; JJ; VBN; VBG; ADJP; JJR; NP; JJS; DT; FW; RBR; RBS; SBAR; RB
ADVP    l RB; RBR; RBS; FW; ADVP; TO; CD; JJR; JJ; IN; NP; JJS; NN
CONJP   l CC; RB; IN
FRAG    l
INTJ    r
LST     l LS; :
NAC     r NN NNS NNP NNPS; NP; NAC; EX; $; CD; QP; PRP; VBG; JJ; JJS; JJR; ADJP; FW
PP      l IN; TO; VBG; VBN; RP; FW
PRN     r
PRT     l RP
QP      r $; IN; NNS; NN; JJ; RB; DT; CD; NCD; QP; JJR; JJS
RRC     l VP; NP; ADVP; ADJP; PP
S       r TO; IN; VP; S; SBAR; ADJP; UCP; NP
SBAR    r WHNP; WHPP; WHADVP; WHADJP; IN; DT; S; SQ; SINV; SBAR; FRAG
SBARQ   r SQ; S; SINV; SBARQ; FRAG
SINV    r VBZ; VBD; VBP; VB; MD; VP; S; SINV; ADJP; NP
SQ      r VBZ; VBD; VBP; VB; MD; VP; SQ
UCP     l
VP      l VBD; VBN; MD; VBZ; VB; VBG; VBP; VP; ADJP; NN; NNS; NP
WHADJP  r CC; WRB; JJ; ADJP
WHADVP  l CC; WRB
WHNP    r WDT; WP; WP$; WHADJP; WHPP; WHNP
WHPP    l IN; TO; FW
X       r
%default l

%empty        -NONE-
%punctuation  `` '' , . : -LRB- -RRB- $ #

%root   ROOT
%label  P     punctuation
%label  PRD   function=PRD
%label  SUB   modifier=NP function=SBJ
%label  VC    parent=VP,SQ,SINV head=MD,VB,VBD,VBG,VBN,VBP,VBZ modifier=VP
%label  OBJ   parent=VP modifier=NP without=ADV,BNF,DIR,EXT,LOC,MNR,PRP,TMP,VOC
%label  SBAR  parent=SBAR modifier=S,SQ,SINV
%label  VMOD  parent=VP,S,SQ,SBARQ,SINV,RRC
%label  NMOD  parent=NP,NX,NAC,WHNP
%label  PMOD  parent=PP,WHPP
%label  AMOD  parent=ADJP,ADVP,QP,WHADJP,WHADVP
%label  DEP
)";

constexpr std::string_view kChinese = R"(# Penn Chinese Treebank

ADJP    r ADJP JJ; AD NN CS
ADVP    r ADVP AD
CLP     r CLP M
CP      r DEC SP; l ADVP CS; r CP IP
DNP     r DNP DEG; DEC
DP      l DP DT
DVP     r DVP DEV
FRAG    r VV NR NN
INTJ    r INTJ IJ
IP      r IP VP; VV
LCP     r LCP LC
LST     l LST CD OD
NP      r NP NN NT NR QP
PP      l PP P
PRN     r NP IP VP NT NR NN
QP      r QP CLP CD OD
UCP     r
VCD     r VCD VV VA VC VE
VCP     r VCP VV VA VC VE
VNV     r VNV VV VA VC VE
VP      l VP VA VC VE VV BA LB VCD VSB VRD VNV VCP
VPT     r VNV VV VA VC VE
VRD     r VRD VV VA VC VE
VSB     r VSB VV VA VC VE
WHNP    r WHNP NP NN NT NR QP
WHPP    l WHPP PP P
%default r

%empty        -NONE-
%punctuation  PU

%root   ROOT
%label  P     punctuation
%label  PRD   function=PRD
%label  SUB   parent=IP function=SBJ
%label  OBJ   parent=VP function=OBJ,IO
%label  VC    parent=VP head=VV,VC,VE,VA modifier=VP
%label  SBAR  parent=CP modifier=IP,CP
%label  VMOD  parent=VP,IP,VCD,VCP,VNV,VPT,VRD,VSB
%label  NMOD  parent=NP,DP,CLP,WHNP
%label  PMOD  parent=PP,LCP,WHPP
%label  AMOD  parent=ADJP,ADVP,QP
%label  DEP
)";

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kRules = {{
    {"english", kEnglish},
    {"chinese", kChinese},
}};

}  // namespace

std::vector<std::string> ConversionRules::builtin_names() {
  std::vector<std::string> names;
  names.reserve(kRules.size());
  for (const auto& [name, text] : kRules) names.emplace_back(name);
  return names;
}

std::string_view ConversionRules::builtin_text(std::string_view name) {
  const auto* const found =
      std::find_if(kRules.begin(), kRules.end(), [name](const auto& entry) { return entry.first == name; });
  return found == kRules.end() ? std::string_view() : found->second;
}

ConversionRules ConversionRules::english() { return from_text(kEnglish, "<english>"); }
ConversionRules ConversionRules::chinese() { return from_text(kChinese, "<chinese>"); }

}  // namespace copse
