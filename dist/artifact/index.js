import { artifact } from "../job/index.js";
await artifact();
