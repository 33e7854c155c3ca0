const k="setup-setup",F=["setup-setup"],H={m18b59d:(($,f,h)=>{h.d(f,{Hz:()=>w,Je:()=>m,Qc:()=>A,X7:()=>g,_K:()=>i,g$:()=>u,gT:()=>y,rw:()=>d,tP:()=>T});const d="PROMPT.md",i="@fix_plan.md",u="@AGENT.md",l=".smithers.toml",m=`## How to work

- Do one item of ${i} at a time, and look first at what is there already.
- Write the test with the change. Never weaken a test or a check to make it green.
- What you learn about building and testing goes to ${u}.
- New work that you find becomes a new item of ${i}.
`,_=`# What this is about

The loop sends this file with every turn. Keep it short: what is wanted, what must not happen. The work itself stands in
${i}, one item a turn; how to build and test stands in ${u}.

## Goal

Say in two or three sentences what exists when all is done, and for whom.

## Constraints

- Say what must stay as it is: interfaces, data, supported versions.
- Say what is out of scope.

${m}`,w=`# Fix plan

Each turn does the first open item and ticks it off. When every item is ticked, the loop is done. An item is small enough
when one turn can finish it and a check can show that it is right.
`,E=`${w}
## High priority

- [ ] Read PROMPT.md and put items in the place of these examples: small, checkable, the most important first

HARD STOP: read the plan before the work begins. Here the run ends; \`smithers resume\` goes on.

## Medium priority

- [ ] An example: \`parse --strict\` refuses unknown keys, with a test
  - Lines that stand further in belong to the item and are told to the agent with it.

## Low priority

- [ ] An example: the README shows \`parse --strict\`
`,g=`# How to build and test

The agent reads this file before it works, and keeps it up to date: commands that run as they stand here, nothing else.
`,y="## Build\n\n```sh\n# the command that builds\n```\n\n## Test\n\n```sh\n# the command that runs every test\n```\n\n## Run\n\n```sh\n# the command that starts it\n```\n",T={path:l,about:"the settings of every run here",text:`# Settings of every run in this folder; a flag outranks them. smithers --help lists them all.

preset = "ralph"

# Where HARD STOP lines are looked for: there the run ends, until a person resumes the loop.
todo-file = "${i}"

# The agent may not write before you allow it: with --full-auto, or for every run with this line.
# sandbox = "workspace-write"

# What has to be green before anything counts as done.
# quality-commands = ["npm test"]

# Where that proves little (green before the first turn, tests changed, none counted), another session looks as well.
# reviewer = "thin"
`},A=[{path:d,about:"what it is about; sent with every turn",text:_},{path:i,about:"the work, one item a turn",text:E},{path:u,about:"how to build and test",text:`${g}
${y}`},T]}),mbe5716:(($,f,h)=>{h.r(f),h.d(f,{setup:()=>g,setupFolder:()=>P,tellStarted:()=>x,writeSetupFiles:()=>b});var d=h("md23476"),i=h("m79b280"),u=h("m7601c8"),l=h("m8fcc97"),m=h("m173474"),_=h("mc9ef05"),w=h("m962097"),E=h("m18b59d");const g=async(t,o)=>{const e=P(t.operand,o.cwd),a=await b(e,E.Qc);return x({folder:e,files:E.Qc,madeRepository:a,fill:"say in PROMPT.md what is wanted, and in @fix_plan.md what has to be done",notices:[],facts:{}},t,o),0},y=100,T=/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u,A=/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/iu;function P(t,o){const e=T.test(t)&&t.length<=y&&!t.endsWith(".")&&!A.test(t);if(t==="."||e)return{name:t,path:d.resolve(o,t)};throw new l.eb([{code:"NAME_INVALID",what:`${JSON.stringify(t)} is no name for a folder.`,next:"Use letters, digits, dots, - and _, beginning with a letter or a digit; or . for the current folder. To make it elsewhere, change to that place first."}])}async function b(t,o){await D(t,o);const e=[];try{await N(t.path,e);const a=!await(0,m.XY)(t.path);for(const{path:c,text:r}of o){const p=d.join(t.path,c);await N(d.dirname(p),e),await(0,i.writeFile)(p,r,{flag:"wx"}),e.unshift(async()=>(0,i.rm)(p))}return a&&await v(t.path),a}catch(a){for(const p of e)await p().catch(()=>{});if(a instanceof l.LE)throw a;const c=`${t.path} could not be written: ${(0,l.bD)(a)}. What was written to it is removed again.`,r="Make room, or correct who may write there; then give the command again.";throw new l.LE({code:"FOLDER_UNWRITABLE",what:c,next:r},{cause:a})}}async function D({name:t,path:o},e){const a=n=>(0,_.F2)((0,i.lstat)(d.join(o,n))),c=async n=>(await a(n))?.isDirectory()===!1,r=[];t!=="."&&await c(".")&&r.push(M(t,"no folder"));const p=new Set(e.map(n=>d.posix.dirname(n.path)).filter(n=>n!=="."));for(const n of r.length>0?[]:p)await c(n)&&r.push(M(n,"no folder"));for(const n of r.length>0?[]:e)await a(n.path)!==void 0&&r.push(M(d.posix.join(t,n.path),"there already, and nothing is overwritten"));if(r.length>0)throw new l.eb(r)}function M(t,o){return{code:"IN_THE_WAY",what:`${t} is ${o}.`,next:`Move ${t} away, or choose another name.`}}async function N(t,o){try{await(0,i.mkdir)(t),o.unshift(async()=>(0,i.rmdir)(t))}catch(e){if(!(0,_.up)(e,"EEXIST"))throw e}}async function v(t){const{exitCode:o,stderr:e}=await(0,m.zY)(t);if(o!==0)throw new l.LE({code:"GIT_FAILED",what:`git made no repository in ${await(0,i.realpath)(t)}: ${e.trim()}. The files are removed again.`,next:"Correct what git says, or run git init there yourself; then give the command again."})}function x({folder:t,files:o,madeRepository:e,fill:a,notices:c,facts:r},p,n){for(const s of c)(0,u.N4)(n,(0,w.wh)(s));const O=[...t.name==="."?[]:[`cd ${t.name}`],a,`${n.program} run --full-auto --dry-run   shows the first prompt`,`${n.program} run --full-auto             begins`];if(p.json)return(0,u.Q2)(n,{schema:1,folder:t.path,files:o.map(s=>s.path),repository_made:e,...r,notices:c,next:O.map(s=>s.replace(/\s{2,}.*$/u,""))});const L=Math.max(...o.map(s=>s.path.length)),R=o.map(s=>`  ${(0,w.wh)(s.path).padEnd(L)}  ${s.about}`),W=e?["  a git repository, in which nothing is committed yet"]:[],S=[t.name==="."?"Here are now:":`${t.name} now holds:`,...R,...W,"","Next:",...O.map(s=>`  ${s}`)];(0,u.tj)(n,S.map(s=>(0,w.n8)(s)))}})};export{k as id,F as ids,H as modules};
//# sourceMappingURL=setup-setup.js.map
