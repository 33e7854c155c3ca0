#!/usr/bin/env node
// Prints agent events as fast as the pipe takes them: lines of 200 bytes to 1 MiB, as many bytes of each size.
import { writeSync } from "node:fs";

const MIB = 1024 * 1024;
const total = Number(process.env.BENCH_MIB ?? "512") * MIB;
const sizes = [200, 1024, 4096, 16_384, 65_536, 262_144, MIB];

function lineOf(text) {
  return `${JSON.stringify({ type: "item.completed", item: { id: "item_1", type: "command_execution", command: "cat log", aggregated_output: text, exit_code: 0, status: "completed" } })}\n`;
}

function eventOf(size) {
  return lineOf("x".repeat(Math.max(0, size - lineOf("").length)));
}

const blocks = sizes.map((size) => Buffer.from(eventOf(size).repeat(Math.max(1, Math.floor(MIB / size)))));

function write(buffer) {
  for (let at = 0; at < buffer.length;) {
    try {
      at += writeSync(1, buffer, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

if (process.argv.includes("--version")) {
  process.stdout.write("codex-cli 0.169.0\n");
} else if (process.argv.includes("sandbox")) {
  process.exitCode = 0;
} else {
  write(
    Buffer.from(`${JSON.stringify({ type: "thread.started", thread_id: "01a1fb7d-2a6d-7302-8ac0-97f8bb202a00" })}\n`),
  );
  for (let sent = 0, n = 0; sent < total; n++) {
    const block = blocks[n % blocks.length];
    write(block);
    sent += block.length;
  }
  const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_output_tokens: 0 };
  write(Buffer.from(`${JSON.stringify({ type: "turn.completed", usage })}\n`));
}
