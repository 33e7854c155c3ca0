import { cache } from "../job/index.js";
await cache();
