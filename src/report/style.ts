/** How the page looks: on a phone, on paper, light and dark. Nothing is told by colour alone. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --panel: #f4f5f7; --text: #1b1f24; --dim: #57606a; --line: #8c959f;
  --good: #116329; --bad: #a40e26; --warn: #7a4b00; --link: #0550ae; --mark-ground: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1117; --panel: #161b22; --text: #e6edf3; --dim: #9da7b3; --line: #6e7681;
    --good: #56d364; --bad: #ff8a80; --warn: #e3b341; --link: #79c0ff; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; line-height: 1.4; margin: 0 0 .75rem; }
h1 .how { display: block; margin-bottom: .25rem; } h1 .why { font-size: 1rem; font-weight: normal; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p, ul, ol { margin: .5rem 0; } ul { padding-left: 1.25rem; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; } h1 code { font-size: .9em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .375rem; margin: .5rem 0; padding: .75rem;
  max-height: 30rem; overflow: auto; white-space: pre-wrap; }
.verdict { background: var(--panel); border-left: .375rem solid var(--line); padding: 1rem; }
.verdict.good { border-color: var(--good); }
.verdict.warn { border-color: var(--warn); }
.verdict.bad { border-color: var(--bad); }
.danger { border: .25rem double var(--bad); padding: 0 1rem; margin-bottom: 1rem; }
.facts { display: grid; gap: .25rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); margin: .5rem 0; }
.facts dt, .legend, .dim, .note { color: var(--dim); } .facts dd { margin: 0; }
.pair { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); }
.copyable { display: flex; gap: .5rem; align-items: flex-start; margin: .5rem 0; }
.copyable pre { flex: 1; min-width: 0; margin: 0; }
button { font: inherit; min-height: 2.75rem; padding: .25rem 1rem; color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: .375rem; }
input { font: inherit; width: 100%; min-height: 2.5rem; padding: .25rem .5rem; color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: .375rem; }
:focus-visible { outline: .1875rem solid var(--link); outline-offset: .125rem; }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; } th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0;
  text-align: left; vertical-align: top; } td code { white-space: pre-wrap; }
th, td + td { overflow-wrap: normal; white-space: nowrap; }
.strip { display: grid; grid-template-columns: repeat(auto-fill, minmax(3.5rem, 1fr)); gap: .25rem; list-style: none;
  padding: 0; } .strip.dense { grid-template-columns: repeat(auto-fill, minmax(1.75rem, 1fr)); }
.strip.dense .number { position: absolute; clip-path: inset(50%); } .strip.dense .mark { margin: 0; }
.strip a { display: block; padding: .25rem 0; text-align: center; text-decoration: none;
  border: 1px solid var(--line); border-radius: .25rem; background: var(--panel); color: var(--text); }
.mark { font-weight: bold; } .mark.good, .plus { color: var(--good); } .mark.bad, .minus { color: var(--bad); }
.mark.open { color: var(--dim); } .strip .mark { margin-right: .25rem; }
details { margin: .25rem 0; } summary { cursor: pointer; min-height: 1.75rem; padding: .125rem 0; }
.iteration { border: 1px solid var(--line); border-radius: .375rem; padding: .25rem .75rem; content-visibility: auto;
  contain-intrinsic-size: auto 2.5rem; }
.iteration[open] { contain-intrinsic-size: auto 20rem; }
.fold { margin-left: .5rem; } .folded { scroll-margin-top: 4rem; }
.folded:target { outline: .125rem solid var(--link); outline-offset: .25rem; }
.diff .add { color: var(--good); }
.diff .cut { color: var(--bad); }
.diff .head { font-weight: bold; }
.diff .at { color: var(--dim); }
.charts { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
.chart { margin: 1rem 0; min-width: 0; } .chart h3 { margin-top: 0; }
.chart .wide { margin: .5rem 0; max-height: 20rem; overflow: auto; }
.plot { display: block; height: auto; width: 100%; max-width: 40rem; color: var(--text); background: var(--ground); }
.plot text { white-space: pre; fill: var(--text); font-size: 12px; }
.plot .series { fill: var(--link); } .plot .series path { fill: none; stroke: var(--link); stroke-width: 2; }
.plot .series.other { fill: var(--dim); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:not(:focus) { position: absolute; left: -100rem; }
footer { margin-top: 3rem; color: var(--dim); border-top: 1px solid var(--line); }
@media (forced-colors: active) { .strip a, .iteration, pre { border-color: CanvasText; } .plot .series { fill: LinkText; } }
@media print { button, #search { display: none; } pre { max-height: none; } }
`;
