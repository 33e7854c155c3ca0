const z=313,J=[313],V={313:((X,k,r)=>{r.r(k),r.d(k,{installHelpers:()=>M});var d=r(1455),l=r(6760),v=r(1723),L=r(8868),w=r(9928),u=r(7092),b=r(1522);const I=/\n<!-- written by smithers install-helpers, (?<digest>[0-9a-f]{16}) -->\n*$/u;function O(t,s){return`${t}
<!-- written by smithers install-helpers, ${x(t,s)} -->
`}function P(t,s,o){if(t===void 0)return"missing";const e=t.replaceAll(`\r
`,`
`);if(e.trimEnd()===s.trimEnd())return"up_to_date";const i=I.exec(e);return i!==null&&i.groups?.digest===x(e.slice(0,i.index),o)?"older":"changed"}function x(t,s){return s(t).slice(0,16)}const E="This file is text and nothing else: prompts and skills have no hooks that could start anything when a turn ends. One\nsession of yours is one piece of work. What repeats it, runs the checks and decides when to stop is the program\n`smithers`, from outside.",S=`## Promise discipline

- The completion promise is the exact text that your prompt names. Print it only when everything that was asked for is done
  and checked, on a line of its own at the very end; never quote it, never announce it, never print it "for now".
- A promise is a claim. The loop runs the checks after it, and a red check refuses it.
- If the prompt asks for a status block instead, end every message with it, and let it say what is so.
- Never edit, skip or delete a test or a check to make it green.

## Checkpoints

- Work through the list from top to bottom, one item at a time; tick an item off (\`- [x]\`) when it is done and checked.
- Stop at a line that says HARD STOP, ask for review, and leave that line as it is. A person lets the work go on.
- Leave the files so that somebody else can go on: what matters stands in the repository, not in the conversation.
- If you are blocked, write a section that begins with BLOCKED: what you tried, what you need, what you propose.

## Safe defaults

- Look before you change. Small changes, each followed by the check that shows it.
- Prefer checks that always say the same: tests, linters, type checks.
- Do not touch .codex/waylon-smithers or .github/workflows. In a loop do not commit: the loop does that where it is wanted.
- No wider sandbox, no network, no approval bypassed on your own account; that is the person's to allow.
`,R=`## Running it as a loop

For a person, in a terminal, in a git repository:

\`\`\`sh
smithers doctor                                                    # what is missing
smithers "Make the tests green." --quality-commands "npm test" --full-auto
smithers "Work through TODO.md." --todo-file TODO.md --full-auto   # pauses at HARD STOP lines
smithers status                                                    # and resume, pause, cancel
\`\`\`

Without \`--full-auto\` the agent may only read. After 30 iterations the loop stops, whatever it has reached;
\`--max-iterations\` says otherwise. Do not start \`smithers\` from within a turn that it has started.
`,D=`---
description: Work on a task as one turn of a Smithers loop
argument-hint: <what has to be done>
---

# Smithers loop: one turn

Task: $ARGUMENTS

Work on this task as if a loop had given it to you and will look at what you leave.

${E}

${S}
## At the end of this turn

Say what is done and which check showed it, what is left, and what comes next. If something is left, name the command that
goes on without a person:

\`\`\`sh
smithers "<the task>" --quality-commands "<the check>" --full-auto
\`\`\`
`,N=`---
name: waylon-smithers
description: How to work inside a Smithers loop, and how to set one up. Use it when a prompt names a completion promise, a status block, a fix plan or HARD STOP lines, or when somebody wants unattended, repeated work on a task until checks are green.
---

# Smithers loop

${E}

${S}
${R}`,W=`---
name: smithers-loop
description: Another name of the skill waylon-smithers. Use it only when it is asked for by this name.
---

Read the skill waylon-smithers, in the folder beside this one (../waylon-smithers/SKILL.md), and do what it says.
`;var f=r(7579),y=r(225),C=r(1320),c=r(7338);const H=".codex/skills",M=async(t,s)=>{const{root:o}=await(0,C.x)(t.flags,s),e=(h,m)=>({file:l.join(o,H,h,"SKILL.md"),within:o,text:O(m,w.s)}),i=l.resolve(s.cwd,(0,b.x)(s.env)),p=[{file:l.join(i,"prompts/waylon-smithers.md"),within:null,text:O(D,w.s)},e("waylon-smithers",N),e("smithers-loop",W)],n=t.values.has("force"),a=[];for(const h of p)a.push(await F(h,n));if(!t.dryRun)for(const h of a)h.writes&&await j(h);return B(a,t,s),0};async function F(t,s){const o=await T(t.file,"could not be read",async()=>(await K(t),(0,u.F2)((0,d.readFile)(t.file,"utf8")))),e=P(o,t.text,w.s);return{...t,state:e,writes:e==="missing"||e==="older"||e==="changed"&&s}}async function K({file:t,within:s}){if(s===null)return;const o=await(0,d.realpath)(s);for(let e=t;e!==l.dirname(s);e=l.dirname(e)){const i=await(0,u.F2)((0,d.realpath)(e));if(i!==void 0){if(l.relative(o,i)!==l.relative(s,e))throw $(t,`was not written, because ${e} is a link or leads elsewhere`);return}}}async function j({file:t,text:s}){await T(t,"could not be written",async()=>{await(0,d.mkdir)(l.dirname(t),{recursive:!0});const o=await(0,u.F2)((0,d.realpath)(t))??t;await(0,L.L5)(o,s)})}async function T(t,s,o){try{return await o()}catch(e){throw(0,u.up)(e,"EACCES","EPERM","EROFS","ENOSPC","ENOTDIR","EEXIST","EISDIR","ELOOP","ENOENT")?$(t,`${s}: ${(0,v.bD)(e)}`,e):e}}function $(t,s,o){return new v.LE({code:"HELPER_UNWRITABLE",what:`${t} ${s}. What was there is unharmed.`,next:"Put that right and give the command again; what is up to date is left as it is."},{cause:o})}const U={missing:["written","would be written"],older:["updated","would be updated"],up_to_date:["up to date","up to date"],changed:["overwritten","would be overwritten"]};function B(t,{json:s,dryRun:o},e){const i=t.map(({file:n,state:a,writes:h,text:m})=>{const[g,Q]=U[a],A=a==="changed"&&!h;return{file:n,state:a,written:h&&!o,told:A?"left as it is":o?Q:g,kept:A,text:m}});for(const{file:n}of i.filter(({kept:a})=>a))(0,c.N4)(e,(0,y.wh)(`${n} was changed by somebody, or is not ours: it stays. --force overwrites it.`));if(s){const n=i.map(({file:a,state:h,written:m,text:g})=>({path:a,state:h,written:m,...o?{text:g}:{}}));(0,c.Q2)(e,{schema:1,dry_run:o,files:n});return}const p=Math.max(...i.map(({told:n})=>n.length));(0,c.tj)(e,i.map(({file:n,told:a})=>(0,f.n)((0,y.wh)(`${a.padEnd(p)}  ${n}`)))),o?(0,c.tj)(e,i.flatMap(({file:n,text:a})=>["",`${(0,y.wh)(n)}:`,...a.trimEnd().split(`
`)]).map(n=>(0,f.n)(n))):(0,c.tj)(e,G.map(n=>(0,f.n)(n)))}const G=["","In a new Codex session: $waylon-smithers or $smithers-loop; commit .codex/skills to share them. The prompt is","/prompts:waylon-smithers <task> in versions of Codex that have custom prompts; newer ones have skills only.","They instruct the agent and start nothing: the loop itself is smithers."]})};export{z as id,J as ids,V as modules};
//# sourceMappingURL=313.index.js.map
