const Y=98,B=[98],H={8098:((I,c,t)=>{t.r(c),t.d(c,{MOST_CONTINUATIONS:()=>R,MOST_WORK_BY_ITSELF_MS:()=>O,githubPlaceOf:()=>v,publicationFacts:()=>L});const d=[/^\.github\/(?:workflows|actions)\//u,/^\.(?:circleci|buildkite|woodpecker|drone|azure-pipelines)\//u,/^(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|azure-pipelines|appveyor|bitbucket-pipelines|cloudbuild)[^/]*\.ya?ml$/u,/(?:^|\/)(?:Jenkinsfile|CODEOWNERS)[^/]*$/u];function f(e){return d.some(n=>n.test(e))}var h=t(3491),i=t(5438),l=t(9262);const u="SMITHERS_DISABLED",g=new Set(["","0","false","no","off"]);async function S({octokit:e,repository:n,signal:o},s){if(s!==null)return $(s);const r=await(0,l.k)("variables: read",async()=>{const{data:a}=await e.request("GET /repos/{owner}/{repo}/actions/variables/{name}",{owner:n.owner,repo:n.name,name:u,request:{signal:o}});return a.value});return r.answered?$(r.value):r.absent||r.because==="refused"?{on:!0}:{on:!1,why:`whether loops are switched off here (${u}) cannot be told: ${r.why}`}}function $(e){return g.has(e.trim().toLowerCase())?{on:!0}:{on:!1,why:`loops are switched off in this repository (its variable ${u} is set)`}}var p=t(7597);const K=p.Ikc({login:p.YjP(),type:p.YjP().catch("")}).nullish().catch(null),_="github-actions[bot]";function z({login:e,type:n}){return n!=="User"&&e===_}var T=t(9700);const E=p.Ikc({viewer:p.Ikc({login:p.YjP()})}),M=/^(?:ghp|gho|ghu|github_pat)_/u;function k(e){return M.test(e)}async function C({octokit:e,signal:n},o){if(k(o))return"person";try{return E.parse(await e.graphql(T.YU,{request:{signal:n}})).viewer.login===_?"github-token":"app"}catch{return"github-token"}}var D=t(9285),P=t(2014),A=t(6720);async function U(e){const n=await(0,A.W)(e);return n===void 0?null:await(0,P.z)(n)??null}const R=20,O=1440*6e4,q=2e4;function v({context:e,settings:n},o){const{repository:s,serverUrl:r,runId:a,workflow:b,job:m}=e,w=`${r}/${s.owner}/${s.name}`;return{workflow:b.path,job:m,repositoryUrl:w,runUrl:`${w}/actions/runs/${a}`,branch:o,base:n.config.base??(0,i.l)(e)}}async function L(e,n){const{job:o,hand:s}=e,{config:r}=o.settings,a=n.github,b=v(o,a?.branch??s?.name??""),m=s===void 0?a?.head??null:await U(o.place.root),w=a?.pull_request??null,[y,N,j]=await Promise.all([W(e,m),C(e.access,r.githubToken??""),F(e,n)]);return{...b,wanted:r.pullRequest,head:m,ahead:s!==void 0&&m!==null&&(s.tip!==null||m!==s.head),pullRequest:w===null?null:{...w,draft:!0},token:N,ci:null,creationForbidden:!1,selfContinue:j,changedTests:y.filter(h.MQ),changedCi:y.filter(f),notes:[]}}async function W({hand:e,began:n,leftMs:o},s){if(e===void 0||s===null||n===null||n===s)return[];const r=await e.branch.changedPaths(n,s,Math.min(q,o()/4));return r.known?r.paths.map(({path:a})=>a):[]}async function F({job:e,access:n},o){const{config:s}=e.settings,{selfContinue:r,maxTokens:a}=s,b=r==="auto"&&o.stop_reason?.kind==="time_budget",{on:m}=b?await S(n,e.host.env[u]??null):{on:!0},w=(0,D.Vk)(s)??O;return{setting:r,most:R,mostMs:w,mostTokens:a,disabled:!m,refused:null}}}),9262:((I,c,t)=>{t.d(c,{k:()=>h});var d=t(946),f=t(7327);async function h(i,l){try{return{answered:!0,value:await l()}}catch(u){return{answered:!1,absent:[404,410].includes((0,d.c2)(u)??0),...(0,f.g)(u,i)}}}}),7327:((I,c,t)=>{t.d(c,{C:()=>h,g:()=>f});var d=t(946);function f(i,l){return{because:(0,d.WG)(i)?"unreachable":"refused",why:(0,d.Of)(i,l)}}async function h(i,l){try{return await l(),{done:!0}}catch(u){return{done:!1,...f(u,i)}}}}),9700:((I,c,t)=>{t.d(c,{BQ:()=>u,Cr:()=>f,Eu:()=>h,YU:()=>g,c5:()=>i,oH:()=>l,r_:()=>d});const d=`
query Comments($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id fullDatabaseId body url viewerDidAuthor isMinimized }
      }
    }
  }
}`,f=`
query Reviews($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviews(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id body url viewerDidAuthor isMinimized }
      }
    }
  }
}`,h=`
query PullRequestAuthor($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { viewerDidAuthor }
  }
}`,i=`
mutation ConvertToDraft($pullRequestId: ID!) {
  convertPullRequestToDraft(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`,l=`
mutation MarkReady($pullRequestId: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`,u=`
mutation Minimize($subjectId: ID!) {
  minimizeComment(input: { subjectId: $subjectId, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`,g=`
query WhoAmI {
  viewer { login }
}`})};export{Y as id,B as ids,H as modules};
//# sourceMappingURL=98.index.js.map
