const { cache } = await import("../job/index.js");
await cache();
