import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

// Writes `client.js`: the code of Cloudflare's official `cloudflare` package that `official-client.test.ts` runs, unchanged. The package takes
// 120 MB, so it is not a dependency. For a newer one: `npm install --no-save --save-exact cloudflare@VERSION`, run this file, `npm ci`.

const folder = fileURLToPath(new URL('.', import.meta.url))
const modules = join(folder, '../../../node_modules/cloudflare')

/** Classes by their module under `resources/`. `Base…` is a resource without those below it. */
const resources: Readonly<Record<string, string>> = {
  'zones/zones': 'BaseZones',
  'zones/settings': 'Settings',
  'zones/activation-check': 'ActivationCheck',
  'dns/records': 'Records',
  'dns/usage/zone': 'Zone',
  'ssl/certificate-packs/certificate-packs': 'BaseCertificatePacks',
  'ssl/universal/settings': 'Settings',
  'ssl/verification': 'VerificationResource',
  'cache/cache': 'BaseCache',
  'accounts/accounts': 'BaseAccounts',
  'accounts/tokens/tokens': 'BaseTokens',
  'user/user': 'BaseUser',
  'user/tokens/tokens': 'BaseTokens',
  'page-rules/page-rules': 'PageRules',
}

const names = Object.keys(resources).map((_, index) => `Resource${index}`)
const entry = [
  `import { createClient } from '${modules}/tree-shakable.mjs'`,
  ...Object.entries(resources).map(
    ([path, name], index) => `import { ${name} as ${names[index]} } from '${modules}/resources/${path}.mjs'`,
  ),
  `export { NotFoundError, PermissionDeniedError, RateLimitError } from '${modules}/core/error.mjs'`,
  `export const createOfficialClient = (options) => createClient({ ...options, resources: [${names.join(', ')}] })`,
].join('\n')

const { version } = JSON.parse(await readFile(join(modules, 'package.json'), 'utf8')) as { version: string }
const work = await mkdtemp(join(tmpdir(), 'zonedeck-extract-'))
try {
  await writeFile(join(work, 'entry.js'), entry)
  await build({
    root: work,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'esnext',
      lib: { entry: join(work, 'entry.js'), formats: ['es'], fileName: () => 'client.js' },
      rolldownOptions: {
        output: {
          comments: false,
          postBanner: `// Written by extract.ts: code of the package cloudflare ${version}, unchanged. Apache License 2.0, see LICENSE.`,
        },
      },
    },
  })
} finally {
  await rm(work, { recursive: true })
}
