const V="setup-install-helpers",Y=["setup-install-helpers"],Z={me2e8d7:((J,O,n)=>{n.r(O),n.d(O,{installHelpers:()=>F,stamped:()=>y,stateOf:()=>P});var l=n("md23476"),I=n("mac8683"),L=n("mb1cda9"),w=n("m7601c8"),E=n("m8fcc97"),N=n("m3ebde5"),R=n("m1f219c"),u=n("mc9ef05"),D=n("mffe96c");const S="This file is text and nothing else: prompts and skills have no hooks that could start anything when a turn ends. One\nsession of yours is one piece of work. What repeats it, runs the checks and decides when to stop is the program\n`smithers`, from outside.",T=`## Promise discipline

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
- Do not touch ${D.Ps} or .github/workflows. In a loop do not commit: the loop does that where it is wanted.
- No wider sandbox, no network, no approval bypassed on your own account; that is the person's to allow.
`,M=`## Running it as a loop

For a person, in a terminal, in a git repository:

\`\`\`sh
smithers doctor                                                    # what is missing
smithers "Make the tests green." --quality-commands "npm test" --full-auto
smithers "Work through TODO.md." --todo-file TODO.md --full-auto   # pauses at HARD STOP lines
smithers status                                                    # and resume, pause, cancel
\`\`\`

Without \`--full-auto\` the agent may only read. After 30 iterations the loop stops, whatever it has reached;
\`--max-iterations\` says otherwise. Do not start \`smithers\` from within a turn that it has started.
`,H=`---
description: Work on a task as one turn of a Smithers loop
argument-hint: <what has to be done>
---

# Smithers loop: one turn

Task: $ARGUMENTS

Work on this task as if a loop had given it to you and will look at what you leave.

${S}

${T}
## At the end of this turn

Say what is done and which check showed it, what is left, and what comes next. If something is left, name the command that
goes on without a person:

\`\`\`sh
smithers "<the task>" --quality-commands "<the check>" --full-auto
\`\`\`
`,W=`---
name: waylon-smithers
description: How to work inside a Smithers loop, and how to set one up. Use it when a prompt names a completion promise, a status block, a fix plan or HARD STOP lines, or when somebody wants unattended, repeated work on a task until checks are green.
---

# Smithers loop

${S}

${T}
${M}`,C=`---
name: smithers-loop
description: Another name of the skill waylon-smithers. Use it only when it is asked for by this name.
---

Read the skill waylon-smithers, in the folder beside this one (../waylon-smithers/SKILL.md), and do what it says.
`;var f=n("m962097"),c=n("m79b280");const F=async(t,s)=>{const{root:o}=await(0,L.x5)(t.flags,s,"silent"),e=(0,I.Um)(),r=e.flatMap(({prompts:i,skills:k})=>{const a=(m,v)=>({file:l.join(o,k,m,"SKILL.md"),within:o,text:y(v)});return[{file:l.resolve(s.cwd,i(s.env),"waylon-smithers.md"),within:null,text:y(H)},a("waylon-smithers",W),a("smithers-loop",C)]}),p=t.values.has("force"),d=[];for(const i of r)d.push(await U(i,p));if(!t.dryRun)for(const i of d)i.writes&&await G(i);const g=e.flatMap(i=>i.afterwards);return B(d,g,t,s),0};async function U(t,s){const o=await x(t.file,"could not be read",async()=>(await K(t),(0,u.F2)((0,c.readFile)(t.file,"utf8")))),e=P(o,t.text);return{...t,state:e,writes:e==="missing"||e==="older"||e==="changed"&&s}}async function K({file:t,within:s}){if(s===null)return;const o=await(0,c.realpath)(s);for(let e=t;e!==l.dirname(s);e=l.dirname(e)){const r=await(0,u.F2)((0,c.realpath)(e));if(r!==void 0){if(l.relative(o,r)!==l.relative(s,e))throw $(t,`was not written, because ${e} is a link or leads elsewhere`);return}}}async function G({file:t,text:s}){await x(t,"could not be written",async()=>{await(0,c.mkdir)(l.dirname(t),{recursive:!0});const o=await(0,u.F2)((0,c.realpath)(t))??t;await(0,N.L5)(o,s)})}async function x(t,s,o){try{return await o()}catch(e){throw(0,u.up)(e,"EACCES","EPERM","EROFS","ENOSPC","ENOTDIR","EEXIST","EISDIR","ELOOP","ENOENT")?$(t,`${s}: ${(0,E.bD)(e)}`,e):e}}function $(t,s,o){return new E.LE({code:"HELPER_UNWRITABLE",what:`${t} ${s}. What was there is unharmed.`,next:"Put that right and give the command again; what is up to date is left as it is."},{cause:o})}const b={missing:"written",older:"updated",up_to_date:"up to date",changed:"overwritten"};function j({state:t,writes:s},o){return t==="changed"&&!s?"left as it is":o&&s?`would be ${b[t]}`:b[t]}function B(t,s,{json:o,dryRun:e},r){for(const{file:a,state:h,writes:m}of t)h==="changed"&&!m&&(0,w.N4)(r,(0,f.wh)(`${a} was changed by somebody, or is not ours: it stays. --force overwrites it.`));if(o){const a=t.map(({file:h,state:m,writes:v,text:z})=>({path:h,state:m,written:v&&!e,...e&&{text:z}}));return(0,w.Q2)(r,{schema:1,dry_run:e,files:a})}const p=t.map(a=>j(a,e)),d=Math.max(...p.map(a=>a.length)),g=t.map(({file:a},h)=>(0,f.wh)(`${(p[h]??"").padEnd(d)}  ${a}`)),i=t.flatMap(({file:a,text:h})=>["",`${(0,f.wh)(a)}:`,...h.trimEnd().split(`
`)]),k=e?i:["",...s,Q];(0,w.tj)(r,[...g,...k].map(a=>(0,f.n8)(a)))}const Q="They instruct the agent and start nothing: the loop itself is smithers.",X=/\n<!-- written by smithers install-helpers, (?<digest>[0-9a-f]{16}) -->\n*$/u;function y(t){return`${t}
<!-- written by smithers install-helpers, ${A(t)} -->
`}function P(t,s){if(t===void 0)return"missing";const o=t.replaceAll(`\r
`,`
`);if(o.trimEnd()===s.trimEnd())return"up_to_date";const e=X.exec(o);return e!==null&&e.groups?.digest===A(o.slice(0,e.index))?"older":"changed"}function A(t){return(0,R.sc)(t).slice(0,16)}})};export{V as id,Y as ids,Z as modules};
//# sourceMappingURL=setup-install-helpers.js.map
