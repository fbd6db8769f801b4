#include "analysis/page_assets.h"

namespace copse {

// The colours of systems are told apart with any kind of colour vision, on paper and on dark screens. What is
// printed is always light.
std::string_view page_style() {
  return R"(:root{color-scheme:light dark;
--page:#f6f7f9;--card:#fff;--edge:#d9dee5;--ink:#1f2328;--muted:#59636e;--grid:#e6e9ee;--axis:#8c959f;--bar:#e3e8ef;--link:#0b62a8;
--s0:#0072b2;--s1:#d55e00;--s2:#00805c;--s3:#b3418a;--s4:#8a6a00;--s5:#4b3fbf;--s6:#4d5560;--s7:#2a8fc7;
--both:#8c959f;--missed:#4b3fbf;--extra:#c4185c;--relabelled:#8a6a00}
@media screen and (prefers-color-scheme:dark){:root{
--page:#0d1117;--card:#151b23;--edge:#303843;--ink:#e9eef4;--muted:#9aa4af;--grid:#262e38;--axis:#6b7683;--bar:#28313c;--link:#6cb6ff;
--s0:#56b4e9;--s1:#ff9d5c;--s2:#35c99d;--s3:#ec8ec7;--s4:#e3c22f;--s5:#aba6ff;--s6:#c3cad3;--s7:#2aa9e0;
--both:#76818d;--missed:#aba6ff;--extra:#ff7a9c;--relabelled:#e3c22f}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:3.5rem}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 "Helvetica Neue",Arial,"Noto Sans","DejaVu Sans",sans-serif}
header,main,footer{max-width:1180px;margin:0 auto;padding:0 20px}
header{padding-top:32px}
h1{font-size:28px;line-height:1.2;margin:0 0 8px;overflow-wrap:anywhere}
h2{font-size:21px;margin:48px 0 4px}
h3{font-size:15px;margin:0 0 8px}
h3.property{font-size:17px;margin:32px 0 0}
p{margin:4px 0 14px;max-width:76ch}
.muted,figcaption{color:var(--muted)}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,select:focus-visible,input:focus-visible,button:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
nav{position:sticky;top:0;z-index:1;background:var(--page);border-bottom:1px solid var(--edge)}
nav ul{max-width:1180px;margin:0 auto;padding:10px 20px;list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;font-size:14px}
nav a{text-decoration:none}
nav a:hover{text-decoration:underline}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 22px;padding:0;margin:10px 0}
.legend li{display:flex;align-items:center;gap:8px;overflow-wrap:anywhere}
.legend svg{flex:none}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:16px}
.grid.narrow{grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr));margin-bottom:16px}
.grid.narrow svg.chart{max-width:400px}
.card{margin:0;background:var(--card);border:1px solid var(--edge);border-radius:10px;padding:16px 18px;min-width:0}
.flow{display:flex;flex-wrap:wrap;gap:16px}
.flow .card{flex:1 1 auto;max-width:100%}
.flow .card p{width:0;min-width:100%}
.card p{margin:8px 0 0;font-size:14px}
svg.chart{display:block;width:100%;height:auto;max-width:620px;margin:0 auto;overflow:visible}
svg text{font-family:inherit}
.chart text{font-size:11px;text-anchor:middle;fill:var(--muted)}
.chart text.end{text-anchor:end}
.chart text.start{text-anchor:start}
.chart text.name{fill:var(--ink);font-size:12px}
.chart text.axis-name{font-size:12px}
.chart .grid,.chart .row{stroke:var(--grid);stroke-width:1;fill:none}
.chart .axis{stroke:var(--axis);stroke-width:1}
.chart .ideal{stroke:var(--axis);stroke-width:1.5;stroke-dasharray:2 4;stroke-linecap:round}
.chart .bar{fill:var(--bar)}
.chart .filled{fill:var(--c);opacity:.75}
.chart .touch{fill:transparent}
.spaced{margin:12px 0 16px}
.line{fill:none;stroke-width:2;stroke-linejoin:round}
.interval{stroke-width:1.5;opacity:.45}
.marker{stroke-width:1.5}
.s0{--c:var(--s0)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}
.s4{--c:var(--s4)}.s5{--c:var(--s5)}.s6{--c:var(--s6)}.s7{--c:var(--s7)}
.line,.interval{stroke:var(--c)}
.marker{fill:var(--c);stroke:var(--card)}
.marker.s4,.marker.s5,.marker.s6,.marker.s7{fill:var(--card);stroke:var(--c)}
.line.s1{stroke-dasharray:7 3}.line.s2{stroke-dasharray:2 3}.line.s3{stroke-dasharray:8 3 2 3}
.line.s5{stroke-dasharray:7 3}.line.s6{stroke-dasharray:2 3}.line.s7{stroke-dasharray:8 3 2 3}
.chart .cell rect{fill:var(--extra)}
.chart .cell.same rect{fill:var(--muted)}
.chart .cell text{fill:var(--ink);font-size:10px}
.chart .cell text.strong{fill:var(--card);font-weight:600}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:5px 9px;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}
th{color:var(--muted);font-weight:600}
tbody th{color:var(--ink);font-weight:400}
th:first-child{text-align:left}
th.group{text-align:center}
.change{color:var(--muted);font-size:12px;font-weight:400;padding-left:6px}
.scores td{font-size:16px}
.scores tbody td,.scores tbody th{vertical-align:top}
.range{color:var(--muted);font-size:12px}
.scroll{overflow-x:auto}
details.numbers{margin-top:12px}
details.numbers summary{cursor:pointer;color:var(--link);font-size:14px;width:max-content}
.controls{display:flex;flex-wrap:wrap;gap:10px 18px;align-items:end;margin:14px 0}
.controls[hidden]{display:none}
.controls label{display:grid;gap:3px;font-size:13px;color:var(--muted)}
.controls select,.controls input,.controls button{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--axis);border-radius:6px;padding:5px 10px}
.controls button{cursor:pointer}
.sentence{background:var(--card);border:1px solid var(--edge);border-radius:10px;margin:0 0 10px}
.sentence summary{cursor:pointer;padding:10px 16px;display:grid;grid-template-columns:1fr auto;gap:2px 18px}
.sentence .text{overflow-wrap:anywhere}
.sentence:not([open]) .text{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.sentence .id{grid-column:1;font-size:12px;color:var(--muted);overflow-wrap:anywhere}
.sentence .errors{grid-column:2;grid-row:1/3;display:flex;gap:14px;align-items:center;font-size:13px;font-variant-numeric:tabular-nums}
.sentence .errors span{display:flex;gap:6px;align-items:center;white-space:nowrap}
.sentence .tree{margin:0;padding:6px 16px 10px;border-top:1px solid var(--grid)}
.sentence .tree figcaption{font-size:13px;display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.sentence svg.comparison{display:block}
footer{color:var(--muted);font-size:13px;padding-top:24px;padding-bottom:40px}
@media (max-width:640px){.sentence summary{grid-template-columns:1fr}.sentence .errors{grid-column:1;grid-row:auto;flex-wrap:wrap}}
@media print{
@page{margin:14mm}
body{font-size:11px;background:none}
header,main,footer{max-width:none;padding:0}
nav,.controls,details.numbers:not([open]){display:none}
h1{font-size:22px}
h2{font-size:17px;margin-top:24px;break-after:avoid}
p{break-inside:avoid}
h2+p,h3{break-after:avoid}
h3.property{font-size:14px;margin-top:16px}
.card p,.card{font-size:10px}
table{font-size:10px}
.scores td{font-size:12px}
th,td{padding:3px 5px}
.group{break-inside:avoid}
.grid{grid-template-columns:1fr 1fr;gap:8px}
.grid.narrow{grid-template-columns:1fr 1fr 1fr;margin-bottom:8px}
.card,.sentence{break-inside:avoid;border-color:#ccc}
.card{padding:8px 10px}
.bar,.cell rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.scroll{overflow:visible}
.sentence svg.comparison{max-width:100%;height:auto}
}
)";
}

}  // namespace copse
