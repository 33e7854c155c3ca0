const x=70,H=[70],B={5070:((T,c,o)=>{o.r(c),o.d(c,{MOST_CONTINUATIONS:()=>R,githubPlaceOf:()=>S,publicationFacts:()=>L});const l=/(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|__snapshots__|e2e|cypress|testdata|fixtures)\//iu,d=/(?:^|\/)(?:[^/]*[._-](?:test|tests|spec|specs|cy)\.[^/]+|(?:test|spec)[._-][^/]*|conftest\.py|[^/]*[a-z0-9](?:Test|Tests|Spec|IT)\.[a-z]+)$/u,m=[/^\.github\/(?:workflows|actions)\//u,/^\.(?:circleci|buildkite|woodpecker|drone|azure-pipelines)\//u,/^(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|azure-pipelines|appveyor|bitbucket-pipelines|cloudbuild)[^/]*\.ya?ml$/u,/(?:^|\/)(?:Jenkinsfile|CODEOWNERS)[^/]*$/u];function u(e){return l.test(e)||d.test(e)}function i(e){return m.some(t=>t.test(e))}var h=o(946),O=o(7327);async function k(e,t){try{return{answered:!0,value:await t()}}catch(s){return{answered:!1,absent:[404,410].includes((0,h.c2)(s)??0),...(0,O.g)(s,e)}}}const b="SMITHERS_DISABLED",C=new Set(["","0","false","no","off"]);async function E({octokit:e,repository:t,signal:s},n){if(n!==null)return v(n);const r=await k("variables: read",async()=>{const{data:a}=await e.request("GET /repos/{owner}/{repo}/actions/variables/{name}",{owner:t.owner,repo:t.name,name:b,request:{signal:s}});return a.value});return r.answered?v(r.value):r.absent||r.because==="refused"?{on:!0}:{on:!1,why:`whether loops are switched off here (${b}) cannot be told: ${r.why}`}}function v(e){return C.has(e.trim().toLowerCase())?{on:!0}:{on:!1,why:`loops are switched off in this repository (its variable ${b} is set)`}}var f=o(7597);const K=f.Ikc({login:f.YjP(),type:f.YjP().catch("")}).nullish().catch(null),_="github-actions[bot]";function Y({login:e,type:t}){return t!=="User"&&e===_}var D=o(9700);const M=f.Ikc({viewer:f.Ikc({login:f.YjP()})}),A=/^(?:ghp|gho|ghu|github_pat)_/u;function P(e){return A.test(e)}async function q({octokit:e,signal:t},s){if(P(s))return"person";try{return M.parse(await e.graphql(D.YU,{request:{signal:t}})).viewer.login===_?"github-token":"app"}catch{return"github-token"}}var F=o(2014),N=o(6720);async function z(e){const t=await(0,N.W)(e);return t===void 0?null:await(0,F.z)(t)??null}const R=20,U=2e4;function S({context:e,settings:t},s){const{repository:n,serverUrl:r,runId:a,workflow:w,job:p,event:g,ref:I}=e,y=`${r}/${n.owner}/${n.name}`,$=/^refs\/heads\/(?<name>.+)$/u.exec(I)?.groups?.name;return{workflow:w.path,job:p,repositoryUrl:y,runUrl:`${y}/actions/runs/${a}`,branch:s,base:t.config.base??$??g.defaultBranch??"main"}}async function L(e,t){const{job:s,hand:n}=e,{config:r}=s.settings,a=t.github,w=S(s,a?.branch??n?.name??""),p=n===void 0?a?.head??null:await z(s.place.root),g=a?.pull_request??null,[I,y,$]=await Promise.all([W(e,p),q(e.access,r.githubToken??""),j(e,t)]);return{...w,wanted:r.pullRequest,head:p,ahead:n!==void 0&&p!==null&&(n.tip!==null||p!==n.head),pullRequest:g===null?null:{...g,draft:!0},token:y,creationForbidden:!1,selfContinue:$,changedTests:I.filter(u),changedCi:I.filter(i),notes:[]}}async function W({hand:e,began:t,leftMs:s},n){if(e===void 0||n===null||t===null||t===n)return[];const r=await e.branch.changedPaths(t,n,Math.min(U,s()/4));return r.known?r.paths.map(({path:a})=>a):[]}async function j({job:e,access:t},s){const{selfContinue:n,maxTokens:r}=e.settings.config,a=n==="auto"&&s.stop_reason?.kind==="time_budget",{on:w}=a?await E(t,e.host.env[b]??null):{on:!0};return{setting:n,most:R,mostMs:null,mostTokens:r,disabled:!w,refused:null}}}),7327:((T,c,o)=>{o.d(c,{C:()=>m,g:()=>d});var l=o(946);function d(u,i){return{because:(0,l.WG)(u)?"unreachable":"refused",why:(0,l.Of)(u,i)}}async function m(u,i){try{return await i(),{done:!0}}catch(h){return{done:!1,...d(h,u)}}}}),9700:((T,c,o)=>{o.d(c,{BQ:()=>i,Cr:()=>d,YU:()=>h,c5:()=>m,oH:()=>u,r_:()=>l});const l=`
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
}`,m=`
mutation ConvertToDraft($pullRequestId: ID!) {
  convertPullRequestToDraft(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`,u=`
mutation MarkReady($pullRequestId: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`,i=`
mutation Minimize($subjectId: ID!) {
  minimizeComment(input: { subjectId: $subjectId, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`,h=`
query WhoAmI {
  viewer { login }
}`})};export{x as id,H as ids,B as modules};
//# sourceMappingURL=70.index.js.map
