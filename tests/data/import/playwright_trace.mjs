// Makes a trace of Playwright: node playwright_trace.mjs CHROMIUM TRACE.zip, where playwright-core is found.
import { createRequire } from 'node:module';
const { chromium } = createRequire(process.env.PLAYWRIGHT_FROM)('playwright-core');
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] });
const context = await browser.newContext({ viewport: { width: 320, height: 240 } });
await context.tracing.start({ screenshots: true, snapshots: true, title: 'press the button' });
const page = await context.newPage();
await page.setContent(`<button onclick="document.body.style.background='teal'">Press</button><input>`);
await page.click('button');
await page.waitForTimeout(500);
await page.fill('input', 'hello');
await page.click('#nothing', { timeout: 300 }).catch(() => {});
await page.waitForTimeout(300);
await context.tracing.stop({ path: process.argv[3] });
await browser.close();
