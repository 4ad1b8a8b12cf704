import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertSeen, readImports, rules } from '#server/testing/import-rules.ts'
import type { ImportFault } from '#server/testing/import-rules.ts'

/** A small valid tree; each file is the text of its imports. */
const lawful = {
  'shared/features/domains/schema.ts': `import 'zod'`,
  'shared/errors/codes.ts': '',
  'server/ports/dns-host.ts': `import '#shared/features/domains/schema.ts'`,
  'server/db/client.ts': `import 'drizzle-orm'; import 'postgres'`,
  'server/platform/sessions.ts': `import 'lucia'; import '#server/db/client.ts'`,
  'server/platform/context.ts': `import type {} from '#server/db/client.ts'; import type {} from '#server/ports/dns-host.ts'; import '#server/platform/sessions.ts'`,
  'server/features/domains/domain.repo.ts': `import 'drizzle-orm'; import '#server/db/client.ts'; import '#shared/features/domains/schema.ts'`,
  'server/features/domains/list/list-domains.ts': `import '../domain.repo.ts'; import '#server/platform/context.ts'; import '#server/features/accounts/index.ts'`,
  'server/features/domains/domains.router.ts': `import './list/list-domains.ts'; import '#server/transports/trpc/trpc.ts'`,
  'server/features/domains/index.ts': `import './domains.router.ts'; import './list/list-domains.ts'`,
  'server/features/accounts/index.ts': '',
  'server/transports/trpc/trpc.ts': `import '#shared/errors/codes.ts'; import type {} from '#server/platform/context.ts'`,
  'server/transports/trpc/router.ts': `import '#server/features/domains/index.ts'`,
  'server/integrations/http/http.ts': `import 'undici'`,
  'server/integrations/cloudflare/wire.ts': `import '#server/integrations/http/http.ts'; import '#server/ports/dns-host.ts'`,
  'server/simulators/faults.ts': '',
  'server/simulators/cloudflare/simulator.ts': `import '#server/simulators/faults.ts'; import '#server/integrations/cloudflare/wire.ts'`,
  'server/http/security.ts': '',
  'server/compose.ts': `import '#server/integrations/cloudflare/wire.ts'; import '#server/transports/trpc/router.ts'; import '#server/http/security.ts'`,
  'server/entrypoints/main.ts': `import '#server/compose.ts'`,
  'server/entrypoints/demo.ts': `import '#server/simulators/cloudflare/simulator.ts'`,
  'client/src/main.tsx': `import '#client/features/domains/page.tsx'; import '#client/features/accounts/page.tsx'`,
  'client/src/lib/trpc.ts': `import type {} from '#server/transports/trpc/router.ts'; import '@trpc/react-query'`,
  'api-client/src/index.ts': '',
  'client/src/ui/tile.tsx': '',
  'client/src/theme/theme.ts': '',
  'client/src/features/domains/page.tsx': `import '#client/ui/tile.tsx'; import '#client/lib/trpc.ts'; import '#client/theme/theme.ts'; import '#shared/features/domains/schema.ts'`,
  'client/src/features/accounts/page.tsx': '',
  'server/features/domains/list/list-domains.test.ts': `import '#server/testing/database.ts'; import 'vitest'`,
  'server/testing/database.ts': `import 'postgres'`,
}

/** For each rule: the file that breaks it, and the import that does. */
const planted: Record<string, readonly [file: string, text: string]> = {
  package: ['api-client/src/a.ts', `import '../../shared/errors/codes.ts'`],
  shared: ['shared/a.ts', `import type {} from '#server/ports/dns-host.ts'`],
  'shared-packages': ['shared/b.ts', `import 'fastify'`],
  ports: ['server/ports/a.ts', `import '#server/db/client.ts'`],
  platform: ['server/platform/a.ts', `import '#server/features/domains/index.ts'`],
  repo: ['server/features/domains/a.repo.ts', `import '#server/features/accounts/index.ts'`],
  'repo-upward': ['server/features/domains/list/k.repo.ts', `import './list-domains.ts'`],
  'use-case': ['server/features/domains/b.ts', `import '#server/features/accounts/secret.ts'`],
  'use-case-db': ['server/features/domains/l.ts', `import '#server/db/client.ts'`],
  'use-case-upward': ['server/features/domains/list/c.ts', `import '../domains.router.ts'`],
  router: ['server/features/domains/list/d.router.ts', `import '../domain.repo.ts'`],
  'router-own-feature': ['server/features/domains/e.handler.ts', `import '#server/features/accounts/secret.ts'`],
  integration: ['server/integrations/cloudflare/a.ts', `import '#server/features/domains/index.ts'`],
  simulator: ['server/simulators/cloudflare/a.ts', `import '#server/integrations/cloudflare/client.ts'`],
  'simulator-kit': ['server/simulators/a.ts', `import '#server/db/client.ts'`],
  transport: ['server/transports/trpc/a.ts', `import '#server/features/domains/domain.repo.ts'`],
  http: ['server/http/a.ts', `import '#server/transports/trpc/trpc.ts'`],
  'composition-root': ['server/features/domains/f.ts', `import '#server/integrations/cloudflare/wire.ts'`],
  'feature-of-client': ['client/src/features/domains/a.tsx', `import '#client/features/accounts/page.tsx'`],
  ui: ['client/src/ui/a.tsx', `import '#client/features/accounts/page.tsx'`],
  lib: ['client/src/lib/a.ts', `import '#client/ui/tile.tsx'`],
  client: ['client/src/features/domains/b.tsx', `import type {} from '#server/transports/trpc/router.ts'`],
  'router-type': ['client/src/lib/trpc.ts', `import '#server/transports/trpc/router.ts'`],
  'router-only': ['client/src/lib/trpc.ts', `import type {} from '#server/features/domains/index.ts'`],
  testing: ['server/platform/b.ts', `import '#server/testing/database.ts'`],
  drizzle: ['server/features/domains/g.ts', `import 'drizzle-orm'`],
  postgres: ['server/features/domains/h.repo.ts', `import 'postgres'`],
  undici: ['server/features/domains/i.ts', `import 'undici'`],
  lucia: ['server/platform/c.ts', `import 'lucia'`],
  'trpc-client': ['client/src/features/domains/c.tsx', `import '@trpc/client'`],
  'trpc-react-query': ['client/src/lib/b.ts', `import '@trpc/react-query'`],
  eval: ['server/features/domains/j.ts', `import 'node:vm'`],
  'no-cycles': ['server/platform/d.ts', `import './e.ts'`],
  unresolved: ['server/platform/f.ts', `import './nothing.ts'`],
  'dev-packages': ['server/platform/g.ts', `import 'vitest'`],
  'dead-file': ['server/platform/h.ts', ''],
}
const beside = {
  'server/features/accounts/secret.ts': '',
  'server/integrations/cloudflare/client.ts': '',
  'server/platform/e.ts': `import './d.ts'`,
}

const project = fileURLToPath(new URL('../..', import.meta.url))
const made: string[] = []

async function tree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'import-rules-'))
  made.push(root)
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'))
  await symlink(join(project, 'package.json'), join(root, 'package.json'))
  for (const folder of ['bench', 'e2e']) await mkdir(join(root, folder))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  return root
}

afterAll(() => Promise.all(made.map((root) => rm(root, { recursive: true }))))

describe('import rules', () => {
  it('find nothing in a valid tree', async () => {
    const { faults } = await readImports(await tree(lawful))
    expect(faults).toEqual([])
  })

  it('refuse to pass a tree that was not read', async () => {
    const { result } = await readImports(await tree(lawful))
    expect(() => assertSeen(result)).toThrow(/only \d+ modules/)
  })

  describe('catch a planted violation of', () => {
    let faults: readonly ImportFault[]
    beforeAll(async () => {
      const files: Record<string, string> = { ...lawful, ...beside }
      for (const [file, text] of Object.values(planted)) files[file] = `${files[file] ?? ''}\n${text}`
      faults = (await readImports(await tree(files))).faults
    })

    it.each(rules.map(({ name }) => name ?? ''))('%s', (name) => {
      const [file] = planted[name] ?? []
      expect(faults.filter((fault) => fault.rule === name).map(({ from }) => from)).toContain(file)
    })
  })
})
