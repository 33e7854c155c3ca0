import { post } from "../job/index.js";
await post();
