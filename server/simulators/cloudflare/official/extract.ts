import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

// Takes from Cloudflare's official `cloudflare` package what our tests need, unchanged: the code that `official-client.test.ts` runs (`client.js`)
// and the types that the simulator and our schemas are compared with (`types.ts`). The package takes 120 MB, so it is not a dependency. For a
// newer one: `npm install --no-save cloudflare@VERSION`, run this file, `npm ci`.

const folder = fileURLToPath(new URL('.', import.meta.url))
const modules = join(folder, '../../../../node_modules/cloudflare')

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

/** Types by their module under `resources/`. */
const types: Readonly<Record<string, readonly string[]>> = {
  'accounts/accounts': ['Account'],
  'dns/records': ['RecordResponse'],
  'ssl/certificate-packs/certificate-packs': ['CertificatePackGetResponse', 'CertificatePackListResponse'],
  'ssl/verification': ['Verification'],
  'user/user': ['UserGetResponse'],
  'zones/zones': ['Zone'],
}

interface Module {
  /** The module that each `…API` stands for. */
  readonly imports: ReadonlyMap<string, string>
  readonly declarations: ReadonlyMap<string, string>
}

async function readModule(path: string): Promise<Module> {
  const text = (await readFile(join(modules, `resources/${path}.d.mts`), 'utf8'))
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    .replaceAll(/\n\s+\n/g, '\n')
  const imports = [...text.matchAll(/^import \* as (\w+) from "(.+)\.mjs";$/gm)].map(
    ([, name = '', from = '']) => [name, posix.join(posix.dirname(path), from)] as const,
  )
  const declarations = new Map<string, string>()
  for (const part of text.split(/^(?=export )/m)) {
    const [, name] = /^export (?:declare )?(?:interface|type|namespace) (\w+)/.exec(part) ?? []
    if (name !== undefined) declarations.set(name, (declarations.get(name) ?? '') + part.replace('export declare', 'export'))
  }
  return { imports: new Map(imports), declarations }
}

const namespaceOf = (path: string): string => path.replaceAll(/\W/g, '_')

/** The declarations and all that they refer to, in a namespace for each module. */
async function extractTypes(): Promise<string> {
  const read = new Map<string, Module>()
  const found = new Map<string, Map<string, string>>()
  const wanted = Object.entries(types).flatMap(([path, names]) => names.map((name) => [path, name] as const))
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    const [path, name] = next
    const from = read.get(path) ?? (await readModule(path))
    const text = from.declarations.get(name)
    const ours = found.get(path) ?? new Map<string, string>()
    read.set(path, from)
    found.set(path, ours)
    if (text === undefined || ours.has(name)) continue
    for (const [, module, other = ''] of text.matchAll(/\b(?:(\w+API|Shared)\.)?([A-Z]\w*)/g)) {
      const target = module === undefined ? path : from.imports.get(module)
      if (target !== undefined) wanted.push([target, other])
    }
    ours.set(
      name,
      text.replaceAll(/\b(\w+API|Shared)\./g, (_, module: string) => `${namespaceOf(from.imports.get(module) ?? module)}.`),
    )
  }
  return [...found]
    .filter(([, declarations]) => declarations.size > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, declarations]) => `export declare namespace ${namespaceOf(path)} {\n${[...declarations.values()].join('')}}\n`)
    .join('')
}

const { version } = JSON.parse(await readFile(join(modules, 'package.json'), 'utf8')) as { version: string }
const notice = `// Written by extract.ts: part of the package cloudflare ${version}, unchanged. Apache License 2.0, see LICENSE.`
await writeFile(join(folder, 'types.ts'), `${notice}\n\n${await extractTypes()}`)

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
        output: { comments: false, postBanner: notice },
      },
    },
  })
} finally {
  await rm(work, { recursive: true })
}
