import { enableCompileCache, registerHooks } from 'node:module'

const known = '/node_modules/drizzle-orm/'

/**
 * Keeps compiled code on disk, and spares Node a look into the package file of drizzle-orm for each of its hundreds of modules: that file
 * has 180 kB, and only says that they are modules. Together it halves the time to the first answer. To be called before anything else
 * is loaded.
 */
export function quickenImports(): void {
  enableCompileCache()
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('.') && context.parentURL?.includes(known) === true
        ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
        : next(specifier, context),
  })
}
