// Runs after `npm ci` and in the container image. The driver (postgres 3.4.9) sends BEGIN without reserving the connection if that statement is
// the last one that fits into its pipeline: statements of others then run inside the transaction
// (https://github.com/porsager/postgres/issues/1189, pull requests 1211 and 1218). To be removed with the first release that contains the
// correction; `driver-pipeline.test.ts` proves it.
import { readFileSync, writeFileSync } from 'node:fs'

const faulty = `return write(toBuffer(q))
        && !q.describeFirst
        && !q.cursorFn
        && sent.length < max_pipeline
        && (!q.options.onexecute || q.options.onexecute(connection))`
const corrected = `const written = write(toBuffer(q))
      if (q.options.onexecute) {
        q.options.onexecute(connection)
        return false
      }
      return written
        && !q.describeFirst
        && !q.cursorFn
        && sent.length < max_pipeline`

for (const variant of ['', 'cjs/']) {
  const file = new URL(`../../node_modules/postgres/${variant}src/connection.js`, import.meta.url)
  const text = readFileSync(file, 'utf8')
  if (text.includes(corrected)) continue
  if (!text.includes(faulty)) throw new Error(`${file.pathname} is not the version that is corrected here`)
  writeFileSync(file, text.replace(faulty, corrected))
}
