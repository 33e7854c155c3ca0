import { action } from "../job/index.js";
await action();
