const { artifact } = await import("../job/index.js");
await artifact();
