const H=98,x=[98],V={8098:((g,c,s)=>{s.r(c),s.d(c,{MOST_CONTINUATIONS:()=>y,MOST_WORK_BY_ITSELF_MS:()=>R,githubPlaceOf:()=>S,publicationFacts:()=>W});const l=/(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|__snapshots__|e2e|cypress|testdata|fixtures)\//iu,d=/(?:^|\/)(?:[^/]*[._-](?:test|tests|spec|specs|cy)\.[^/]+|(?:test|spec)[._-][^/]*|conftest\.py|[^/]*[a-z0-9](?:Test|Tests|Spec|IT)\.[a-z]+)$/u,p=[/^\.github\/(?:workflows|actions)\//u,/^\.(?:circleci|buildkite|woodpecker|drone|azure-pipelines)\//u,/^(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|azure-pipelines|appveyor|bitbucket-pipelines|cloudbuild)[^/]*\.ya?ml$/u,/(?:^|\/)(?:Jenkinsfile|CODEOWNERS)[^/]*$/u];function a(e){return l.test(e)||d.test(e)}function i(e){return p.some(t=>t.test(e))}var f=s(5438),b=s(9262);const I="SMITHERS_DISABLED",v=new Set(["","0","false","no","off"]);async function E({octokit:e,repository:t,signal:r},n){if(n!==null)return T(n);const o=await(0,b.k)("variables: read",async()=>{const{data:u}=await e.request("GET /repos/{owner}/{repo}/actions/variables/{name}",{owner:t.owner,repo:t.name,name:I,request:{signal:r}});return u.value});return o.answered?T(o.value):o.absent||o.because==="refused"?{on:!0}:{on:!1,why:`whether loops are switched off here (${I}) cannot be told: ${o.why}`}}function T(e){return v.has(e.trim().toLowerCase())?{on:!0}:{on:!1,why:`loops are switched off in this repository (its variable ${I} is set)`}}var h=s(7597);const Y=h.Ikc({login:h.YjP(),type:h.YjP().catch("")}).nullish().catch(null),$="github-actions[bot]";function B({login:e,type:t}){return t!=="User"&&e===$}var k=s(9700);const M=h.Ikc({viewer:h.Ikc({login:h.YjP()})}),C=/^(?:ghp|gho|ghu|github_pat)_/u;function D(e){return C.test(e)}async function P({octokit:e,signal:t},r){if(D(r))return"person";try{return M.parse(await e.graphql(k.YU,{request:{signal:t}})).viewer.login===$?"github-token":"app"}catch{return"github-token"}}var A=s(9285),F=s(2014),L=s(6720);async function U(e){const t=await(0,L.W)(e);return t===void 0?null:await(0,F.z)(t)??null}const y=20,R=1440*6e4,q=2e4;function S({context:e,settings:t},r){const{repository:n,serverUrl:o,runId:u,workflow:_,job:m}=e,w=`${o}/${n.owner}/${n.name}`;return{workflow:_.path,job:m,repositoryUrl:w,runUrl:`${w}/actions/runs/${u}`,branch:r,base:t.config.base??(0,f.l)(e)}}async function W(e,t){const{job:r,hand:n}=e,{config:o}=r.settings,u=t.github,_=S(r,u?.branch??n?.name??""),m=n===void 0?u?.head??null:await U(r.place.root),w=u?.pull_request??null,[O,j,K]=await Promise.all([N(e,m),P(e.access,o.githubToken??""),z(e,t)]);return{..._,wanted:o.pullRequest,head:m,ahead:n!==void 0&&m!==null&&(n.tip!==null||m!==n.head),pullRequest:w===null?null:{...w,draft:!0},token:j,ci:null,creationForbidden:!1,selfContinue:K,changedTests:O.filter(a),changedCi:O.filter(i),notes:[]}}async function N({hand:e,began:t,leftMs:r},n){if(e===void 0||n===null||t===null||t===n)return[];const o=await e.branch.changedPaths(t,n,Math.min(q,r()/4));return o.known?o.paths.map(({path:u})=>u):[]}async function z({job:e,access:t},r){const{config:n}=e.settings,{selfContinue:o,maxTokens:u}=n,_=o==="auto"&&r.stop_reason?.kind==="time_budget",{on:m}=_?await E(t,e.host.env[I]??null):{on:!0},w=(0,A.Vk)(n)??R;return{setting:o,most:y,mostMs:w,mostTokens:u,disabled:!m,refused:null}}}),9262:((g,c,s)=>{s.d(c,{k:()=>p});var l=s(946),d=s(7327);async function p(a,i){try{return{answered:!0,value:await i()}}catch(f){return{answered:!1,absent:[404,410].includes((0,l.c2)(f)??0),...(0,d.g)(f,a)}}}}),7327:((g,c,s)=>{s.d(c,{C:()=>p,g:()=>d});var l=s(946);function d(a,i){return{because:(0,l.WG)(a)?"unreachable":"refused",why:(0,l.Of)(a,i)}}async function p(a,i){try{return await i(),{done:!0}}catch(f){return{done:!1,...d(f,a)}}}}),9700:((g,c,s)=>{s.d(c,{BQ:()=>f,Cr:()=>d,Eu:()=>p,YU:()=>b,c5:()=>a,oH:()=>i,r_:()=>l});const l=`
query Comments($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id fullDatabaseId body url viewerDidAuthor isMinimized }
      }
    }
  }
}`,d=`
query Reviews($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviews(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id body url viewerDidAuthor isMinimized }
      }
    }
  }
}`,p=`
query PullRequestAuthor($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { viewerDidAuthor }
  }
}`,a=`
mutation ConvertToDraft($pullRequestId: ID!) {
  convertPullRequestToDraft(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`,i=`
mutation MarkReady($pullRequestId: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`,f=`
mutation Minimize($subjectId: ID!) {
  minimizeComment(input: { subjectId: $subjectId, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`,b=`
query WhoAmI {
  viewer { login }
}`})};export{H as id,x as ids,V as modules};
//# sourceMappingURL=98.index.js.map
