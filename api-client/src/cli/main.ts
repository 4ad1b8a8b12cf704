#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from './run.ts'

const { stdin, stdout, stderr } = process
const interactive = stdin.isTTY && stderr.isTTY

// The reader may close the pipe early (`| head -1`).
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

/** @param shown whether the input is echoed */
async function ask(question: string, shown: boolean): Promise<string> {
  stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: stdin, output: shown ? stderr : silent, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    if (!shown) stderr.write('\n')
  }
}

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  interactive,
  out: (line) => void stdout.write(`${line}\n`),
  say: (line) => void stderr.write(`${line}\n`),
  ask: (question) => ask(question, true),
  read: (file) => (file === '-' ? text(stdin) : readFile(file, 'utf8')),
  secret: (question) => (interactive ? ask(question, false) : text(stdin)),
})
