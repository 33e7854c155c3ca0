import { type Handlers, NOT_FOUND } from "../github-api/operation.ts";
import type { ResultsService } from "./service.ts";

/** For the stand-in of GitHub's API: artifacts' archives come from this service's blob store, as GitHub's do. */
export function artifactHandlers(service: () => ResultsService): Handlers {
  return {
    "actions/download-artifact": {
      needs: { actions: "read" },
      handle: ({ params }) => {
        const { artifacts, blobs } = service();
        const artifact = artifacts.stored.find(({ id }) => String(id) === params["artifact_id"]);
        if (artifact === undefined || params["archive_format"] !== "zip") return NOT_FOUND;
        return { status: 302, headers: { location: blobs.downloadUrl(artifact.blob) } };
      },
    },
  };
}
