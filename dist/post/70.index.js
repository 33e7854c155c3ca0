const x=70,B=[70],V={5070:((I,c,r)=>{r.r(c),r.d(c,{MOST_CONTINUATIONS:()=>T,githubPlaceOf:()=>v,publicationFacts:()=>U});const l=/(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|__snapshots__|e2e|cypress|testdata|fixtures)\//iu,d=/(?:^|\/)(?:[^/]*[._-](?:test|tests|spec|specs|cy)\.[^/]+|(?:test|spec)[._-][^/]*|conftest\.py|[^/]*[a-z0-9](?:Test|Tests|Spec|IT)\.[a-z]+)$/u,m=[/^\.github\/(?:workflows|actions)\//u,/^\.(?:circleci|buildkite|woodpecker|drone|azure-pipelines)\//u,/^(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|azure-pipelines|appveyor|bitbucket-pipelines|cloudbuild)[^/]*\.ya?ml$/u,/(?:^|\/)(?:Jenkinsfile|CODEOWNERS)[^/]*$/u];function a(e){return l.test(e)||d.test(e)}function i(e){return m.some(t=>t.test(e))}var h=r(5438),S=r(946),O=r(7327);async function _(e,t){try{return{answered:!0,value:await t()}}catch(s){return{answered:!1,absent:[404,410].includes((0,S.c2)(s)??0),...(0,O.g)(s,e)}}}const g="SMITHERS_DISABLED",k=new Set(["","0","false","no","off"]);async function C({octokit:e,repository:t,signal:s},n){if(n!==null)return y(n);const o=await _("variables: read",async()=>{const{data:u}=await e.request("GET /repos/{owner}/{repo}/actions/variables/{name}",{owner:t.owner,repo:t.name,name:g,request:{signal:s}});return u.value});return o.answered?y(o.value):o.absent||o.because==="refused"?{on:!0}:{on:!1,why:`whether loops are switched off here (${g}) cannot be told: ${o.why}`}}function y(e){return k.has(e.trim().toLowerCase())?{on:!0}:{on:!1,why:`loops are switched off in this repository (its variable ${g} is set)`}}var f=r(7597);const Y=f.Ikc({login:f.YjP(),type:f.YjP().catch("")}).nullish().catch(null),$="github-actions[bot]";function H({login:e,type:t}){return t!=="User"&&e===$}var E=r(9700);const D=f.Ikc({viewer:f.Ikc({login:f.YjP()})}),M=/^(?:ghp|gho|ghu|github_pat)_/u;function A(e){return M.test(e)}async function P({octokit:e,signal:t},s){if(A(s))return"person";try{return D.parse(await e.graphql(E.YU,{request:{signal:t}})).viewer.login===$?"github-token":"app"}catch{return"github-token"}}var q=r(2014),F=r(6720);async function N(e){const t=await(0,F.W)(e);return t===void 0?null:await(0,q.z)(t)??null}const T=20,z=2e4;function v({context:e,settings:t},s){const{repository:n,serverUrl:o,runId:u,workflow:w,job:p}=e,b=`${o}/${n.owner}/${n.name}`;return{workflow:w.path,job:p,repositoryUrl:b,runUrl:`${b}/actions/runs/${u}`,branch:s,base:t.config.base??(0,h.l)(e)}}async function U(e,t){const{job:s,hand:n}=e,{config:o}=s.settings,u=t.github,w=v(s,u?.branch??n?.name??""),p=n===void 0?u?.head??null:await N(s.place.root),b=u?.pull_request??null,[R,j,K]=await Promise.all([L(e,p),P(e.access,o.githubToken??""),W(e,t)]);return{...w,wanted:o.pullRequest,head:p,ahead:n!==void 0&&p!==null&&(n.tip!==null||p!==n.head),pullRequest:b===null?null:{...b,draft:!0},token:j,creationForbidden:!1,selfContinue:K,changedTests:R.filter(a),changedCi:R.filter(i),notes:[]}}async function L({hand:e,began:t,leftMs:s},n){if(e===void 0||n===null||t===null||t===n)return[];const o=await e.branch.changedPaths(t,n,Math.min(z,s()/4));return o.known?o.paths.map(({path:u})=>u):[]}async function W({job:e,access:t},s){const{selfContinue:n,maxTokens:o}=e.settings.config,u=n==="auto"&&s.stop_reason?.kind==="time_budget",{on:w}=u?await C(t,e.host.env[g]??null):{on:!0};return{setting:n,most:T,mostMs:null,mostTokens:o,disabled:!w,refused:null}}}),7327:((I,c,r)=>{r.d(c,{C:()=>m,g:()=>d});var l=r(946);function d(a,i){return{because:(0,l.WG)(a)?"unreachable":"refused",why:(0,l.Of)(a,i)}}async function m(a,i){try{return await i(),{done:!0}}catch(h){return{done:!1,...d(h,a)}}}}),9700:((I,c,r)=>{r.d(c,{BQ:()=>i,Cr:()=>d,YU:()=>h,c5:()=>m,oH:()=>a,r_:()=>l});const l=`
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
}`,a=`
mutation MarkReady($pullRequestId: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pullRequestId }) { pullRequest { isDraft } }
}`,i=`
mutation Minimize($subjectId: ID!) {
  minimizeComment(input: { subjectId: $subjectId, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`,h=`
query WhoAmI {
  viewer { login }
}`})};export{x as id,B as ids,V as modules};
//# sourceMappingURL=70.index.js.map
