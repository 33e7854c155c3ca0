/** Folders and files that programs make: nobody judges them. */
const GENERATED_FOLDERS: ReadonlySet<string> = new Set(
  (
    "node_modules bower_components dist build out output coverage vendor target .next .nuxt .output .svelte-kit .astro .venv venv env " +
    ".env __pycache__ .git .hg .svn .cache .turbo .nx .parcel-cache generated __generated__ gen .tox .nox .mypy_cache .ruff_cache " +
    ".pytest_cache .eggs site-packages bin obj tmp temp .tmp .temp .idea .vscode .vs .gradle .mvn storybook-static htmlcov _build " +
    ".docusaurus .vercel .netlify .serverless .terraform third_party .yarn .pnpm-store .angular .expo .dart_tool .build deriveddata " +
    "pods carthage deps _site reports playwright-report test-results .stryker-tmp .nyc_output logs"
  ).split(" "),
);
const GENERATED_FILES =
  /(?:\.min\.(?:js|css)|\.map|\.d\.[cm]?ts|\.(?:gen|generated|pb|g|designer)\.\w{1,10}|_pb2(?:_grpc)?\.pyi?|\.egg-info|\.lock|\.log|\.tsbuildinfo|lock\.(?:json|ya?ml)|\*?\.(?:png|jpe?g|gif|svg|ico|pdf|zip|woff2?))$/iu;

/** Whether a path or a pattern of an ignore list is about what programs make. */
export function isGenerated(pattern: string): boolean {
  const plain = plainPattern(pattern);
  if (plain === "" || GENERATED_FILES.test(plain)) return true;
  return plain.split("/").some((folder) => GENERATED_FOLDERS.has(folder.toLowerCase()));
}

/** Whether a file is one that programs make, or another's: `dist/index.js`. */
export function isGeneratedFile(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  return GENERATED_FILES.test(path) || folders.some((folder) => NOT_WRITTEN.has(folder));
}

const NOT_WRITTEN: ReadonlySet<string> = new Set(
  "node_modules dist coverage vendor .next .venv venv __pycache__ __generated__ site-packages .tox third_party".split(
    " ",
  ),
);

/** A pattern of a tool without what each tool writes differently: the same in all. */
export function plainPattern(pattern: string): string {
  return pattern
    .slice(0, 400)
    .replaceAll("<rootDir>", "")
    .replaceAll("\\", "")
    .replaceAll(/(?:^|\/)\*\*(?=\/|$)/gu, "")
    .replaceAll(/^[!^]?(?:\.?\/)*|[/*$]*$/gu, "");
}
