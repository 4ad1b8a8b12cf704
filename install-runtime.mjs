// Runs after `npm ci`, under the machine's own Node, so it is not TypeScript. The panel needs Node 24: development has it in its packages, and
// an installation without them gets it here if the machine's Node is older.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import packages from './package.json' with { type: 'json' }

process.chdir(import.meta.dirname)
const [major] = process.versions.node.split('.')
const commands = 'node_modules/.bin'
const added = 'node_modules/.runtime'

if (Number(major) < 24 && !existsSync(`${commands}/node`)) {
  execFileSync('npm', ['install', '--prefix', added, '--no-save', `node@${packages.devDependencies.node}`], { stdio: 'inherit' })
  symlinkSync(`../../${added}/node_modules/node/bin/node`, `${commands}/node`)
}
// The runtime's headers, 62 MB, are of use only to build native add-ons.
for (const parent of ['node_modules/node/node_modules', `${added}/node_modules/node/node_modules`]) {
  const platforms = existsSync(parent) ? readdirSync(parent).filter((name) => name.startsWith('node-')) : []
  for (const name of platforms) rmSync(`${parent}/${name}/include`, { recursive: true, force: true })
}
