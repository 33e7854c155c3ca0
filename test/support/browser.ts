import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, chromium as driver, type Page } from "playwright-core";

/** What a page did that it must not. */
export interface Watched extends AsyncDisposable {
  readonly page: Page;
  /** addresses that were asked for, the page's own included */
  readonly requests: readonly string[];
  /** errors and warnings of the console, exceptions, and what a policy has refused */
  readonly complaints: readonly string[];
}

/** A real browser without a window, closed when its scope ends. */
export async function browser(): Promise<
  AsyncDisposable & { open(options?: BrowserContextOptions): Promise<Watched> }
> {
  const started: Browser = await driver.launch({
    executablePath: await chromium.executablePath(),
    // In one process it would end with the first context that is closed.
    args: chromium.args.filter((arg) => arg !== "--single-process" && arg !== "--no-zygote"),
    headless: true,
  });
  return {
    async open(options = {}) {
      const context = await started.newContext(options);
      const page = await context.newPage();
      const requests: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("dialog", async (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        await dialog.dismiss();
      });
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      return { page, requests, complaints, [Symbol.asyncDispose]: async () => context.close() };
    },
    [Symbol.asyncDispose]: async () => started.close(),
  };
}
