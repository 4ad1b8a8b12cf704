import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import type { ICruiseResult, IForbiddenRuleType } from 'dependency-cruiser'

const tests = '\\.(test|spec)\\.tsx?$'
const folders = ['shared', 'server', 'client', 'api-client', 'bench', 'e2e']
const ours = `^(${folders.join('|')})/`
/** Entry points of processes, builds and scripts. */
const entries = [
  '^server/entrypoints/(main|demo|dev|cli|simulators|health-check|keep-server-packages)\\.ts$',
  '^server/db/patch-driver\\.mjs$',
  '^server/features/domains/records/zone-file/plan-worker\\.ts$',
  '^server/features/redirects/plan-worker\\.ts$',
  '^client/[^/]+\\.ts$',
  '^api-client/build\\.ts$',
  '^client/src/main\\.tsx$',
]

/** Files under `from` may import these files of ours, and no others. `$1` is the first group of `from`. */
const layer = (
  name: string,
  comment: string,
  from: string,
  mayImport: readonly string[],
  except: readonly string[] = [],
): IForbiddenRuleType => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: [tests, ...except] },
  to: { path: ours, pathNot: [...mayImport] },
})

/** The package may be imported only from these files. */
const only = (name: string, comment: string, packages: string, from: readonly string[]): IForbiddenRuleType => ({
  name,
  comment,
  severity: 'error',
  from: { path: ours, pathNot: [tests, '^(bench|e2e|server/testing)/', ...from] },
  to: { path: packages },
})

const repo = '^server/features/.+\\.repo\\.ts$'
const router = '^server/features/.+\\.(router|handler)\\.ts$'

/** The import rules, one per sentence. Type imports count too. */
export const rules: readonly IForbiddenRuleType[] = [
  layer('shared', 'shared → shared', '^shared/', ['^shared/']),
  {
    name: 'shared-packages',
    comment: 'shared reaches zod and the list of public suffixes: both sides load it',
    severity: 'error',
    from: { path: '^shared/', pathNot: [tests, '\\.d\\.ts$'] },
    to: { pathNot: [ours, 'node_modules/(zod|tldts)/'] },
  },
  layer('ports', 'ports → shared', '^server/ports/', ['^server/ports/', '^shared/']),
  layer('platform', 'platform, db → themselves, shared, and the words of the ports', '^server/(platform|db)/', [
    '^server/(platform|db|ports)/',
    '^shared/',
  ]),
  layer(
    'repo',
    'repo → db, platform, shared, the words of the ports, own repos and pure files',
    '^server/features/([^/]+)/.+\\.repo\\.ts$',
    ['^server/(platform|db|ports)/', '^server/features/$1/', '^shared/'],
  ),
  {
    name: 'repo-upward',
    comment: 'a repo knows no use case: what acts for somebody knows the context',
    severity: 'error',
    from: { path: repo },
    to: { path: '^server/platform/context\\.ts$', reachable: true },
  },
  layer(
    'use-case',
    "use case → own folder, other features' index, ports, platform, shared, locks and the type of a transaction",
    '^server/features/([^/]+)/',
    [
      '^server/features/$1/',
      '^server/features/.+/index\\.ts$',
      '^server/(ports|platform)/',
      '^server/db/(client|advisory-locks)\\.ts$',
      '^shared/',
    ],
    [repo, router],
  ),
  {
    name: 'use-case-db',
    comment: 'a use case hands a pool or a transaction on; only repos speak to the database',
    severity: 'error',
    from: { path: '^server/(features|integrations)/', pathNot: [tests, repo] },
    to: { path: '^server/db/', pathNot: '/advisory-locks\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  layer(
    'use-case-upward',
    'a use case does not know its entry points',
    '^server/features/([^/]+)/',
    ['^server/(?!features/.+\\.(router|handler)\\.ts$)', '^(shared|client|bench|e2e)/'],
    [router, '/index\\.ts$'],
  ),
  layer('router', 'router, handler → own use cases, the procedures, shared; never repo or db', router, [
    '^server/features/([^/]+)/(?!.+\\.repo\\.ts$)',
    '^server/transports/trpc/',
    '^shared/',
  ]),
  {
    name: 'router-own-feature',
    comment: 'a router knows its own feature, and of others their index',
    severity: 'error',
    from: { path: '^server/features/([^/]+)/.+\\.(router|handler)\\.ts$' },
    to: { path: '^server/features/', pathNot: ['^server/features/$1/', '/index\\.ts$'] },
  },
  layer(
    'integration',
    'integrations/<v> → own folder, the HTTP helper, what registrars and what trackers share, ports, platform, shared',
    '^server/integrations/([^/]+)/',
    [
      '^server/integrations/$1/',
      '^server/integrations/(http|registrars|trackers)/',
      '^server/(ports|platform)/',
      '^server/db/client\\.ts$',
      '^shared/',
    ],
    ['^server/integrations/(registrars/create-registrars|trackers/create-ad-trackers)\\.ts$'],
  ),
  layer('simulator', "simulators/<v> → own folder, the kit, that vendor's wire.ts", '^server/simulators/([^/]+)/', [
    '^server/simulators/$1/',
    '^server/simulators/[^/]+\\.ts$',
    '^server/integrations/$1/wire\\.ts$',
  ]),
  layer('simulator-kit', 'the kit of the simulators knows simulators and nothing of the panel', '^server/simulators/[^/]+\\.ts$', [
    '^server/simulators/',
  ]),
  layer('transport', 'transports → features, transports, http, platform, shared; never repo, db or a vendor', '^server/transports/', [
    '^server/(transports|http)/',
    '^server/features/.+/(index|[^/]+\\.router)\\.ts$',
    '^server/platform/',
    '^shared/',
  ]),
  layer('http', "http plugins → http, platform, config, shared, features' index", '^server/http/', [
    '^server/(http|platform|config)/',
    '^server/features/.+/index\\.ts$',
    '^shared/',
  ]),
  {
    name: 'composition-root',
    comment: 'only compose.ts knows the vendors; simulators are started by demo, dev and tests',
    severity: 'error',
    from: {
      path: '^(server|client|shared)/',
      pathNot: [
        tests,
        '^server/compose\\.ts$',
        '^server/demo/',
        '^server/entrypoints/(demo|dev|simulators)\\.ts$',
        '^server/(integrations|simulators|testing)/',
      ],
    },
    to: { path: '^server/(integrations|simulators)/' },
  },
  layer('feature-of-client', "client/features/x → itself, other features' index, ui, lib, theme, shared", '^client/src/features/([^/]+)/', [
    '^client/src/features/$1/',
    '^client/src/features/.+/index\\.ts$',
    '^client/src/(ui|lib|theme)/',
    '^shared/',
  ]),
  layer('ui', 'ui is free of the product: ui, lib, theme, shared', '^client/src/ui/', ['^client/src/(ui|lib|theme)/', '^shared/']),
  layer(
    'lib',
    'lib → lib, theme, shared; lib/trpc.ts also knows the type of the router',
    '^client/src/(lib|theme)/',
    ['^client/src/(lib|theme)/', '^shared/'],
    ['^client/src/lib/trpc\\.ts$'],
  ),
  layer('client', 'client → client, shared; never the server', '^client/', ['^(client|shared)/'], ['^client/src/lib/trpc\\.ts$']),
  {
    name: 'router-type',
    comment: 'lib/trpc.ts takes the type of the router from the server, and nothing that runs',
    severity: 'error',
    from: { path: '^client/src/lib/trpc\\.ts$' },
    to: { path: '^(server|bench|e2e)/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'router-only',
    comment: 'lib/trpc.ts takes from the server the router and the shape of its errors',
    severity: 'error',
    from: { path: '^client/src/lib/trpc\\.ts$' },
    to: { path: '^server/', pathNot: '^server/transports/trpc/(router|trpc)\\.ts$' },
  },
  layer('package', 'what others install knows nothing but itself', '^api-client/src/', ['^api-client/src/']),
  {
    name: 'testing',
    comment: 'the product does not know its tests',
    severity: 'error',
    from: { path: '^(server|client|shared)/', pathNot: [tests, '^server/testing/'] },
    to: { path: ['^server/testing/', '^bench/', '^e2e/', tests] },
  },
  only('drizzle', 'drizzle-orm only in db and *.repo.ts', 'node_modules/drizzle-(orm|kit)/', ['^server/db/', '\\.repo\\.ts$']),
  only('postgres', 'the driver only in db', 'node_modules/postgres/', ['^server/db/']),
  only('undici', 'HTTP calls leave through one helper', '(node_modules/undici/|^(node:)?(https?|http2)$)', [
    '^server/integrations/http/',
    // A check measures every phase, on its own connection.
    '^server/integrations/probe/ask\\.ts$',
    '^server/(http|simulators)/',
  ]),
  only('lucia', 'lucia stays behind one file', 'node_modules/lucia/', ['^server/platform/sessions\\.ts$']),
  only('trpc-client', 'the client of tRPC only in lib', 'node_modules/@trpc/client/', ['^client/src/lib/']),
  only('trpc-react-query', '@trpc/react-query is at its end upstream and stays behind one file', 'node_modules/@trpc/react-query/', [
    '^client/src/lib/trpc\\.ts$',
  ]),
  only('eval', 'no code is made from text; V8 shows its collector in no other way', '^(node:)?vm$', ['^server/platform/idle-memory\\.ts$']),
  {
    name: 'no-cycles',
    comment: 'no circle of imports, of types either; what is generated may name the types that it is made for',
    severity: 'error',
    from: { path: ours },
    to: { circular: true, viaOnly: { pathNot: '\\.gen\\.ts$' } },
  },
  {
    name: 'unresolved',
    comment: 'an import that leads nowhere is not checked by the other rules',
    severity: 'error',
    from: { path: ours },
    to: { couldNotResolve: true, pathNot: ['^virtual:', '^@zonedeck/client$'] },
  },
  {
    name: 'dev-packages',
    comment: 'what runs in production takes no development dependency',
    severity: 'error',
    from: { path: '^(server|client/src|shared)/', pathNot: [tests, '\\.d\\.ts$', '^server/(testing/|entrypoints/dev\\.ts)'] },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'dead-file',
    comment: 'nothing that is started reaches this file',
    severity: 'error',
    from: { path: entries },
    to: {
      path: '^(server|client/src|shared)/',
      pathNot: [...entries, tests, '\\.d\\.ts$', '^server/(testing|integrations/conformance)/'],
      reachable: false,
    },
  },
]

export interface ImportFault {
  readonly rule: string
  readonly from: string
  readonly to: string
}

/** Imports that exist in every state of the project. A parser that ignores aliases or types would not find them. */
const knownEdges = [
  ['server/platform/context.ts', 'server/db/client.ts'],
  ['server/transports/trpc/trpc.ts', 'shared/errors/codes.ts'],
  ['client/src/lib/trpc.ts', 'server/transports/trpc/router.ts'],
] as const

/** Reads every import under `root`. */
export async function readImports(root: string): Promise<{ readonly result: ICruiseResult; readonly faults: readonly ImportFault[] }> {
  const { output } = await cruise(
    folders,
    {
      baseDir: root,
      // dependency-cruiser does not support TypeScript 7's parser; without this it would parse nothing and report success.
      parser: 'swc',
      moduleSystems: ['es6'],
      validate: true,
      ruleSet: { forbidden: [...rules] },
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '^(client/)?dist/' },
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  )
  if (typeof output === 'string') throw new Error(output)
  const faults = output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }))
  return { result: output, faults }
}

/** @throws if the parser missed imports known to exist, so that an empty result is not trusted. */
export function assertSeen(result: ICruiseResult): void {
  const read = result.modules.filter(({ source }) => new RegExp(ours).test(source))
  if (read.length <= 50) throw new Error(`only ${read.length} modules were read; the parser does not work`)
  for (const [from, to] of knownEdges) {
    const seen = read.find(({ source }) => source === from)?.dependencies.some(({ resolved }) => resolved === to)
    if (seen !== true) throw new Error(`the import of ${to} in ${from} was not seen`)
  }
}

if (import.meta.main) {
  const { result, faults } = await readImports(fileURLToPath(new URL('../..', import.meta.url)))
  assertSeen(result)
  for (const { rule, from, to } of faults) {
    process.stdout.write(`${from} → ${to}\n  ${rule}: ${rules.find(({ name }) => name === rule)?.comment ?? ''}\n`)
  }
  process.stdout.write(`${result.summary.totalCruised} modules, ${rules.length} rules, ${faults.length} violations\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
