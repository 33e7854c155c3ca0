const Y="shared-github-accounts",H=["shared-github-accounts"],G={mb63d12:((M,T,u)=>{u.d(T,{P:()=>E,e:()=>I});var n=u("m8fcc97"),w=u("m33f2d1"),i=u("m434bdc"),f=u("mef5322"),m=u("m962097");function E(h=m.m_){const _=(0,w.IH)();return(b,g,O)=>{const y=AbortSignal.timeout(Math.max(0,Math.round(b)));return _(async()=>{try{return await g(y)}catch(p){if(p instanceof n.LE&&p.code==="STATE_NEWER")throw p;const R=y.aborted;return O(R?`there was no answer within ${(0,f.YA)(b)}`:h(p),R)}})}}function I(h){return h instanceof n.LE?`${h.message} ${h.next}`:h instanceof i.EM&&h.because==="altered"?`${h.message}; give the \`state-key\` that it was sealed with`:(0,m.m_)(h)}}),mcb209e:((M,T,u)=>{u.d(T,{M:()=>f});var n=u("m801387"),w=u("m2dd793"),i=u("m680b06");async function f(m,{base:E,ours:I,theirs:h}){const _=async(r,a)=>{const e=["commit-tree",`${r}^{tree}`,"-m","merge",...a===void 0?[]:["-p",a]];return(await m.run(e)).trim()},b=await _(E),g=["-c","merge.directoryRenames=false","merge-tree","--write-tree","--name-only","-z"],{exitCode:O,stdout:y,stderr:p}=await m.try([...g,await _(I,b),await _(h,b)]),[R="",...$]=(0,w.R6)(y);if(O===0)return(0,n.Vw)(R);if(O!==1)return(0,n.gz)({because:`this git cannot merge them: ${(0,i.ag)(p)}`,paths:[]});const A=[...new Set($.slice(0,$.indexOf("")))];return(0,n.gz)({because:"both have changed the same",paths:A})}}),ma534f7:((M,T,u)=>{u.d(T,{C4:()=>$,Fp:()=>p,Gf:()=>A,I8:()=>E,MG:()=>R,Up:()=>y,aA:()=>O,wu:()=>b,x:()=>_,xJ:()=>h});var n=u("m23a754"),w=u("m801387"),i=u("m24f665"),f=u("m5da6c7"),m=u("me509e9");const E=(0,i.Xd)(i.i5),I="github-actions[bot]";function h({login:r,type:a}){return a!=="User"&&r===I}function _(r){return/^(?:ghp|gho|ghu|github_pat)_/u.test(r)}function b(r){return r.startsWith("ghs_")}const g=n.Ikc({viewer:n.Ikc({login:n.YjP()})});async function O(r,a){if(typeof a!="string")return"app";if(_(a))return"person";try{return g.parse(await r.graphql(f.YU)).viewer.login===I?"github-token":"app"}catch{return"github-token"}}function y(r,a){return r.trim().toLowerCase()===a.trim().toLowerCase()}async function p(r,a){const e=await(0,m.kA)("metadata: read",()=>r.rest.repos.getCollaboratorPermissionLevel({username:a}));if(!e.ok)return e.trouble.kind==="absent"?(0,w.Vw)("none"):e;const{permission:t,role_name:o}=e.value.data;return t==="admin"||t==="write"?(0,w.Vw)(t):t==="read"?(0,w.Vw)(o==="triage"?"triage":"read"):(0,w.Vw)("none")}async function R(r,a){return(0,m.kA)("contents: read",async()=>{const{data:e}=await r.rest.repos.getCommit({ref:a});return[e.committer,e.author].map(o=>E.catch(null).parse(o)).filter(o=>o!==null)})}async function $(r){return(0,m.kA)("metadata: read",async()=>g.parse(await r.graphql(f.YU)).viewer.login)}async function A(r,{number:a,login:e,head:t}){return(0,m.kA)("pull-requests: write",async()=>{const o={pull_number:a,per_page:100};(await r.paginate(l=>l.pulls.listReviews,o)).some(({user:l,commit_id:d})=>d===t&&y(l?.login??"",e))||await r.rest.pulls.requestReviewers({pull_number:a,reviewers:[e]})})}}),m3fb8ba:((M,T,u)=>{u.d(T,{l:()=>R,y:()=>$});var n=u("m326c67"),w=u("m8fcc97"),i=u("m24f665"),f=u("md23476");const m=[".github/workflows",".gitea/workflows",".forgejo/workflows"],E=/^[^/]+\.ya?ml$/u,I=16384,h=200;function _(e){const[,t,o=""]=/^[^/]+\/[^/]+\/(.+?)@(.+)$/su.exec(e)??[];return t===void 0?void 0:g(t,o)}function b(e,{workspace:t,ref:o}){const s=m.flatMap(d=>O(t,d)),c=s.filter(d=>d===e||f.posix.basename(d)===e),l=c.length>0?c:s.filter(d=>p(y(f.join(t,d)))===e);return g(l.length===1?l[0]??"":"",o)}function g(e,t){return{path:e,file:f.posix.basename(e),ref:t}}function O(e,t){try{return(0,n.readdirSync)(f.join(e,t)).filter(s=>E.test(s)).slice(0,h).map(s=>`${t}/${s}`)}catch{return[]}}function y(e){try{const t=(0,n.openSync)(e,n.constants.O_RDONLY|n.constants.O_NONBLOCK|n.constants.O_NOFOLLOW);try{return(0,n.fstatSync)(t).isFile()?(0,n.readFileSync)(t,"utf8").slice(0,I):""}finally{(0,n.closeSync)(t)}}catch{return""}}function p(e){const t=/^name:[ \t]+(?<value>\S.*)$/mu.exec(e)?.groups?.value?.trimEnd();return/^(?<quote>["'])(?<inner>.*)\k<quote>(?:[ \t]+#.*)?$/u.exec(t??"")?.groups?.inner??t?.replace(/[ \t]+#.*$/u,"")}function R({ref:e,event:t}){return/^refs\/heads\/(?<name>.+)$/u.exec(e)?.groups?.name??t.defaultBranch??"main"}function $(e){const t=[],o=v=>e[v]||null,s=(v,k)=>{const N=k.exec(e[v]??"");return N===null&&t.push(v),N??[]},c=v=>s(v,/^.+$/su)[0]??"",l=v=>Number(s(v,/^\d{1,15}$/u)[0]??0),d=(v,k)=>e[v]?l(v):k,[,P="",D=""]=s("GITHUB_REPOSITORY",/^([^/]+)\/([^/]+)$/u),S=(0,i.N5)(a(o("GITHUB_EVENT_PATH"))),[U,j]=[c("GITHUB_WORKSPACE"),c("GITHUB_REF")],L=o("GITHUB_WORKFLOW_REF"),C=L===null?b(c("GITHUB_WORKFLOW"),{workspace:U,ref:j}):_(L);C===void 0&&t.push("GITHUB_WORKFLOW_REF");const B=d("GITHUB_REPOSITORY_ID",S.repositoryId??0),x={repository:{owner:P,name:D,id:B},runId:l("GITHUB_RUN_ID"),attempt:d("GITHUB_RUN_ATTEMPT",1),workflow:C??{path:"",file:"",ref:""},job:c("GITHUB_JOB"),step:c("GITHUB_ACTION"),serverUrl:c("GITHUB_SERVER_URL"),apiUrl:c("GITHUB_API_URL"),ref:j,sha:o("GITHUB_SHA"),eventName:c("GITHUB_EVENT_NAME"),event:S,workspace:U,temp:c("RUNNER_TEMP"),toolCache:o("RUNNER_TOOL_CACHE"),environment:e.RUNNER_ENVIRONMENT==="github-hosted"?"github-hosted":"self-hosted",unsaid:[...C?.path===""?[A]:[],...B===0?[r]:[]]};if(e.GITHUB_ACTIONS==="true"&&t.length===0)return x;const W=t.length>0?`: ${t.join(", ")} not set or not understood`:"";throw new w.eb([{code:"NOT_IN_ACTIONS",what:`This program is the Action, and it does not run as a step of a GitHub Actions job${W}. Nothing was done.`,next:"Use it in a workflow with uses: smithers/loop@v1; elsewhere use the command line, smithers run."}])}const A="This runner does not say which file the workflow is in (GITHUB_WORKFLOW_REF), and no file in the checkout has its name alone: the loop cannot start the next run of it, nor find artifacts of its earlier runs that no record names. Give the workflow a name of its own.",r="This runner does not say the repository's id (GITHUB_REPOSITORY_ID): no pull request or run can be told from a fork's, so that what they ask for is refused, and artifacts of earlier runs are not taken.";function a(e){try{return e===null?"":(0,n.readFileSync)(e,"utf8")}catch{return""}}}),m24f665:((M,T,u)=>{u.d(T,{N5:()=>R,Xd:()=>i,i5:()=>f,s1:()=>I});var n=u("m23a754"),w=u("m4f3d4a");function i(e){return e.nullish().catch(null).transform(t=>t??null)}const f=n.Ikc({login:n.YjP(),type:n.YjP().catch("")}),m=n.Whr().positive(),E=w.w$({offset:!0}).transform(e=>Date.parse(e)),I=i(n.Ikc({id:n.aig()})),h=n.Ikc({sha:n.YjP(),ref:n.YjP(),repo:i(n.Ikc({id:n.aig(),full_name:n.YjP()}))}).transform(({sha:e,ref:t,repo:o})=>({sha:e,ref:t,repository:o&&{id:o.id,fullName:o.full_name}})),_=n.Ikc({title:n.YjP().catch(""),body:i(n.YjP()),user:i(f)}).transform(({title:e,body:t,user:o})=>({title:e,body:t??"",author:o?.login??null})),b=n.Ikc({id:m,body:n.YjP(),user:i(f),created_at:E}).transform(({id:e,body:t,user:o,created_at:s})=>({id:e,body:t,author:o,createdAt:s})),g=n.Ikc({id:m,body:i(n.YjP()),state:n.YjP(),user:i(f),commit_id:i(n.YjP()),submitted_at:E}).transform(({id:e,body:t,state:o,user:s,commit_id:c,submitted_at:l})=>({id:e,body:t??"",state:o.toLowerCase(),author:s,commit:c,submittedAt:l})),O=n.Ikc({id:m,name:n.YjP().catch(""),path:n.YjP().catch(""),conclusion:i(n.YjP()),head_sha:n.YjP(),head_branch:i(n.YjP()),head_repository:I,actor:i(f),triggering_actor:i(f),pull_requests:n.YOg(n.Ikc({number:m,base:i(n.Ikc({repo:n.Ikc({id:n.aig()})}))})).catch([]),updated_at:E}),y=n.Ikc({id:i(n.aig()),private:i(n.zMY()),visibility:i(n.YjP()),default_branch:i(n.YjP())}),p=i(n.Ikc({action:n.YjP().catch(""),comment:i(b),changes:i(n.Ikc({body:i(n.Ikc({from:n.YjP()}))})),review:i(g),label:i(n.Ikc({name:n.YjP()})),workflow_run:i(O),pull_request:i(n.Ikc({number:m,head:i(h),base:i(n.Ikc({sha:n.YjP().regex(/^[0-9a-f]{40,64}$/u)}))}).transform(({number:e,head:t,base:o})=>({number:e,head:t,baseSha:o?.sha??null}))),issue:i(n._H3({number:m,pull_request:n.Ikc({}).nullish()})),repository:i(y),sender:i(f),inputs:i(n.g1P(n.YjP(),n.L5J()))}));function R(e){const t=p.parse($(e)),{workflow_run:o,issue:s,repository:c}=t??{};return{action:t?.action??"",pullRequest:t?.pull_request??(s?.pull_request?{number:s.number,head:null,baseSha:null}:null),issue:s?.number??null,issueText:s&&!s.pull_request?_.safeParse(s).data??null:null,comment:t?.comment??null,saidBefore:t?.changes?.body?.from??null,review:t?.review??null,label:t?.label?.name??null,workflowRun:o?A(o,c?.id??null):null,defaultBranch:c?.default_branch??null,visibility:r(c),repositoryId:c?.id??null,sender:t?.sender??null,inputs:a(t?.inputs??{})}}function $(e){try{return JSON.parse(e)}catch{return{}}}function A(e,t){const o=e.pull_requests.filter(({base:s})=>!s||t===null||s.repo.id===t);return{id:e.id,name:e.name,path:e.path.replace(/@.*$/u,""),conclusion:e.conclusion,headSha:e.head_sha,headBranch:e.head_branch,headRepositoryId:e.head_repository?.id??null,actors:[e.actor,e.triggering_actor].filter(s=>s!==null),pullRequests:o.map(({number:s})=>s),endedAt:e.updated_at}}function r(e){const{visibility:t,private:o}=e??{};return t==="private"||t==="public"?t:t==="internal"?"public":typeof o!="boolean"?"unknown":o?"private":"public"}function a(e){const t=Object.entries(e).filter(([,o])=>["string","number","boolean"].includes(typeof o));return Object.fromEntries(t.map(([o,s])=>[o,String(s)]))}}),mc32666:((M,T,u)=>{u.d(T,{VD:()=>b,Z6:()=>p,_O:()=>i,iJ:()=>R});var n=u("mffe96c"),w=u("mca70e6");const i=`smithers-loop/${n.xv}`,f=new Set([301,302,303,307,308]),m=5,E=new Set(["authorization","cookie","proxy-authorization"]),I=async(r,a)=>{let e=new URL(r),t=a;for(let o=m;;o-=1){const s=await h(e,t).catch(l=>{throw a.signal?.throwIfAborted(),l}),c=a.redirect==="manual"?void 0:g(s,e);if(c===void 0)return y(s,e);if(a.redirect==="error")throw new Error(`${e.origin} redirects, which is not followed here.`);if(o===0)throw new Error(`${e.origin} redirects too often.`);t=O(t,s.head.statusCode??0,c.origin===e.origin),e=c}};async function h(r,{method:a="GET",headers:e,body:t,signal:o,keepLast:s}){const{request:c}=process.getBuiltinModule(r.protocol==="https:"?"node:https":"node:http"),l={method:a,headers:{"accept-encoding":"gzip",...e},...o&&{signal:o}},d=await new Promise((S,U)=>{c(r,l).once("response",S).on("error",U).end(t)}),P=s===void 0?await(0,w.buffer)(d):await _(d,s),D=P.length>0&&d.headers["content-encoding"]==="gzip";return{head:d,body:D?(await Promise.resolve().then(u.t.bind(u,"m77fe94",19))).gunzipSync(P):P}}async function _(r,a){let e=[],t=0;for await(const o of r)e.push(o),t+=o.length,!(t<a*2)&&(e=[Buffer.concat(e).subarray(-a)],t=a);return Buffer.concat(e).subarray(-a)}async function b(r,a,e){const t=p(process.env),o=await t(r,{method:"HEAD",signal:e}),s=Math.max(0,Number(o.headers.get("content-length")??0)-a),c=s===0?{}:{range:`bytes=${s}-`},l=await t(r,{headers:{"accept-encoding":"identity",...c},keepLast:a,signal:e});if(l.status>=300)throw new Error(`the server of the log answered ${l.status}`);const d=await l.text();return s>0||Buffer.byteLength(d)>=a?d.slice(d.indexOf(`
`)+1):d}function g({head:r},a){const{location:e}=r.headers;return e!==void 0&&f.has(r.statusCode??0)?new URL(e,a):void 0}function O(r,a,e){const{body:t,method:o="GET",headers:s={},...c}=r,l=Object.entries(s).filter(([D])=>e||!E.has(D.toLowerCase())),d={...c,headers:Object.fromEntries(l)};return a!==303||o==="GET"||o==="HEAD"?{...d,method:o,...t!==void 0&&{body:t}}:{...d,method:"GET"}}function y({head:r,body:a},e){const t=Object.entries(r.headersDistinct),o=new Map(t.map(([s,c])=>[s,(c??[]).join(", ")]));return{status:r.statusCode??0,statusText:r.statusMessage??"",url:e.href,headers:o,text:async()=>a.toString("utf8"),arrayBuffer:async()=>new Uint8Array(a).buffer}}function p(r){const a=new Map;return async(e,t)=>{const o=R(new URL(e),r);if(o===void 0)return await I(e,t);const s=await u.e("undici").then(u.t.bind(u,"m3939c5",19)),c=a.get(o)??new s.ProxyAgent(o);a.set(o,c);const{keepLast:l,...d}=t,P=await s.fetch(e,{...d,dispatcher:c});if(l===void 0||P.body===null)return P;const D=await _(P.body,l),{status:S,statusText:U,url:j,headers:L}=P,C=new Uint8Array(D).buffer;return{status:S,statusText:U,url:j,headers:L,text:async()=>D.toString("utf8"),arrayBuffer:async()=>C}}}function R(r,a){const e=s=>a[s]||a[s.toUpperCase()]||"",t=e(r.protocol==="https:"?"https_proxy":"http_proxy");if(!(t===""||$(r.hostname)||e("no_proxy").split(/[\s,]+/u).some(s=>A(s.toLowerCase(),r))))return t.includes("://")?t:`http://${t}`}function $(r){return r==="localhost"||r==="[::1]"||r.startsWith("127.")}function A(r,{hostname:a,port:e,protocol:t}){if(r==="")return!1;if(r==="*")return!0;const[o="",s]=r.replace(/^\*?\./u,"").split(":");return s!==void 0&&s!==(e||(t==="https:"?"443":"80"))?!1:a===o||a.endsWith(`.${o}`)}}),m5da6c7:((M,T,u)=>{u.d(T,{BQ:()=>y,Cr:()=>m,Eu:()=>b,IO:()=>h,MS:()=>E,YU:()=>p,bM:()=>_,c5:()=>g,dN:()=>w,i8:()=>f,oH:()=>O,r_:()=>n,sG:()=>I});const n=i("pullRequest"),w=i("issue");function i(R){return`
query Comments($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    subject: ${R}(number: $number) {
      comments(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id fullDatabaseId body url viewerDidAuthor isMinimized }
      }
    }
  }
}`}const f=`
query Issue($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    subject: issue(number: $number) {
      number title body state url lastEditedAt
      author { login }
      timelineItems(itemTypes: [RENAMED_TITLE_EVENT], last: 1) { nodes { ... on RenamedTitleEvent { createdAt } } }
    }
  }
}`,m=`
query Reviews($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    subject: pullRequest(number: $number) {
      reviews(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id body url viewerDidAuthor isMinimized }
      }
    }
  }
}`,E=`
query ReviewReactions($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    subject: pullRequest(number: $number) {
      reviews(last: 50) {
        nodes { id url state body submittedAt reactionGroups { content createdAt viewerHasReacted } }
      }
    }
  }
}`,I=`
mutation AddReaction($subjectId: ID!, $content: ReactionContent!) {
  addReaction(input: { subjectId: $subjectId, content: $content }) { reaction { content } }
}`,h=`
query ReviewEdit($id: ID!) {
  node(id: $id) { ... on PullRequestReview { lastEditedAt } }
}`,_=`
query ReviewThreads($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    subject: pullRequest(number: $number) {
      reviewThreads(last: 50, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes {
          id path line startLine diffSide
          top: comments(first: 1) { nodes { ...Said } }
          comments(last: 100) { nodes { ...Said } }
        }
      }
    }
  }
}
fragment Said on PullRequestReviewComment {
  fullDatabaseId body lastEditedAt viewerDidAuthor pullRequestReview { fullDatabaseId }
}`,b=`
query PullRequestAuthor($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    subject: pullRequest(number: $number) { viewerDidAuthor }
  }
}`,g=`
mutation ConvertToDraft($pullRequestId: ID!) {
  convertPullRequestToDraft(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`,O=`
mutation MarkReady($pullRequestId: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`,y=`
mutation Minimize($subjectId: ID!) {
  minimizeComment(input: { subjectId: $subjectId, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`,p=`
query WhoAmI {
  viewer { login }
}`})};export{Y as id,H as ids,G as modules};
//# sourceMappingURL=shared-github-accounts.js.map
