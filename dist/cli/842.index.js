const D=842,v=[842],L={3842:((O,m,n)=>{n.r(m),n.d(m,{setup:()=>c});var i=n(66),o=n(5716),s=n(9812);const c=async(r,d)=>{const _=(0,o.O)(r.operand,d.cwd),f=await(0,o.Q)(_,i.Qc);return(0,s.P)({folder:_,files:i.Qc,made:f,fill:"say in PROMPT.md what is wanted, and in @fix_plan.md what has to be done",notices:[],facts:{}},r,d),0}}),9812:((O,m,n)=>{n.d(m,{P:()=>c});var i=n(7579),o=n(225),s=n(7338);function c({folder:r,files:d,made:_,fill:f,notices:u,facts:E},y,w){for(const e of u)(0,s.N4)(w,(0,o.wh)(e));const T=[...r.name==="."?[]:[`cd ${r.name}`],f,`${w.program} run --full-auto --dry-run   shows the first prompt`,`${w.program} run --full-auto             begins`];if(y.json){(0,s.Q2)(w,{schema:1,folder:r.path,files:d.map(e=>e.path),repository_made:_.repository,...E,notices:u,next:T.map(e=>e.replace(/\s{2,}.*$/u,""))});return}const g=Math.max(...d.map(e=>e.path.length)),M=d.map(e=>`  ${(0,o.wh)(e.path).padEnd(g)}  ${e.about}`),A=_.repository?["  a git repository, in which nothing is committed yet"]:[],t=r.name==="."?"Here are now:":`${r.name} now holds:`;(0,s.tj)(w,[...[t,...M,...A,"","Next:",...T.map(e=>`  ${e}`)].map(e=>(0,i.n)(e))])}}),5716:((O,m,n)=>{n.d(m,{O:()=>y,Q:()=>w});var i=n(1455),o=n(6760),s=n(1723),c=n(7092),r=n(9650),d=n(6720),_=n(8063);const f=100,u=/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u,E=/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/iu;function y(t,e){const a=u.test(t)&&t.length<=f&&!t.endsWith(".")&&!E.test(t);if(t==="."||a)return{name:t,path:o.resolve(e,t)};throw new s.eb([{code:"NAME_INVALID",what:`${JSON.stringify(t)} is no name for a folder.`,next:"Use letters, digits, dots, - and _, beginning with a letter or a digit; or . for the current folder. To make it elsewhere, change to that place first."}])}async function w(t,e){await T(t,e);const a=[];try{await M(t.path,a);const p=!await(0,d.X)(t.path);for(const{path:P,text:h}of e){const l=o.join(t.path,P);await M(o.dirname(l),a),await(0,i.writeFile)(l,h,{flag:"wx"}),a.unshift(async()=>(0,i.rm)(l))}return p&&await A(t.path),{repository:p}}catch(p){for(const l of a)await l().catch(()=>{});if(p instanceof s.LE)throw p;const P=`${t.path} could not be written: ${(0,s.bD)(p)}. What was written to it is removed again.`,h="Make room, or correct who may write there; then give the command again.";throw new s.LE({code:"FOLDER_UNWRITABLE",what:P,next:h},{cause:p})}}async function T(t,e){const a=[],p=await(0,c.F2)((0,i.lstat)(t.path));p!==void 0&&t.name!=="."&&!p.isDirectory()&&a.push(g(t.name,"no folder"));const P=new Set(e.map(h=>o.posix.dirname(h.path)).filter(h=>h!=="."));for(const h of a.length>0?[]:P){const l=await(0,c.F2)((0,i.lstat)(o.join(t.path,h)));l!==void 0&&!l.isDirectory()&&a.push(g(h,"no folder"))}for(const h of a.length>0?[]:e)await(0,c.F2)((0,i.lstat)(o.join(t.path,h.path)))!==void 0&&a.push(g(o.posix.join(t.name,h.path),"there already, and nothing is overwritten"));if(a.length>0)throw new s.eb(a)}function g(t,e){return{code:"IN_THE_WAY",what:`${t} is ${e}.`,next:`Move ${t} away, or choose another name.`}}async function M(t,e){try{await(0,i.mkdir)(t),e.unshift(async()=>(0,i.rmdir)(t))}catch(a){if(!(0,c.up)(a,"EEXIST"))throw a}}async function A(t){const{exitCode:e,stderr:a}=await(0,_.B)(["init","-q"],{cwd:t,env:(0,r.C0)()});if(e!==0)throw new s.LE({code:"GIT_FAILED",what:`git made no repository in ${await(0,i.realpath)(t)}: ${a.trim()}. The files are removed again.`,next:"Correct what git says, or run git init there yourself; then give the command again."})}}),66:((O,m,n)=>{n.d(m,{Hz:()=>_,Je:()=>r,Qc:()=>w,X7:()=>u,_K:()=>o,g$:()=>s,gT:()=>E,rw:()=>i,tP:()=>y});const i="PROMPT.md",o="@fix_plan.md",s="@AGENT.md",c=".smithers.toml",r=`## How to work

- Do one item of ${o} at a time, and look first at what is there already.
- Write the test with the change. Never weaken a test or a check to make it green.
- What you learn about building and testing goes to ${s}.
- New work that you find becomes a new item of ${o}.
`,d=`# What this is about

The loop sends this file with every turn. Keep it short: what is wanted, what must not happen. The work itself stands in
${o}, one item a turn; how to build and test stands in ${s}.

## Goal

Say in two or three sentences what exists when all is done, and for whom.

## Constraints

- Say what must stay as it is: interfaces, data, supported versions.
- Say what is out of scope.

${r}`,_=`# Fix plan

Each turn does the first open item and ticks it off. When every item is ticked, the loop is done. An item is small enough
when one turn can finish it and a check can show that it is right.
`,f=`${_}
## High priority

- [ ] Read PROMPT.md and put items in the place of these examples: small, checkable, the most important first

HARD STOP: read the plan before the work begins. Here the run ends; \`smithers resume\` goes on.

## Medium priority

- [ ] An example: \`parse --strict\` refuses unknown keys, with a test
  - Lines that stand further in belong to the item and are told to the agent with it.

## Low priority

- [ ] An example: the README shows \`parse --strict\`
`,u=`# How to build and test

The agent reads this file before it works, and keeps it up to date: commands that run as they stand here, nothing else.
`,E="## Build\n\n```sh\n# the command that builds\n```\n\n## Test\n\n```sh\n# the command that runs every test\n```\n\n## Run\n\n```sh\n# the command that starts it\n```\n",y={path:c,about:"the settings of every run here",text:`# Settings of every run in this folder; a flag outranks them. smithers --help lists them all.

preset = "ralph"

# Where HARD STOP lines are looked for: there the run ends, until a person resumes the loop.
todo-file = "${o}"

# The agent may not write before you allow it: with --full-auto, or for every run with this line.
# sandbox = "workspace-write"

# What has to be green before anything counts as done.
# quality-commands = ["npm test"]
`},w=[{path:i,about:"what it is about; sent with every turn",text:d},{path:o,about:"the work, one item a turn",text:f},{path:s,about:"how to build and test",text:`${u}
${E}`},y]})};export{D as id,v as ids,L as modules};
//# sourceMappingURL=842.index.js.map
