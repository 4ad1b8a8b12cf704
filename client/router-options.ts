import { fileURLToPath } from 'node:url'

/** Shared by vite and `build.ts --routes`, so that both write the same route tree. */
export const routerOptions = {
  target: 'react' as const,
  autoCodeSplitting: true,
  routesDirectory: fileURLToPath(new URL('src/routes', import.meta.url)),
  generatedRouteTree: fileURLToPath(new URL('src/routeTree.gen.ts', import.meta.url)),
  quoteStyle: 'single' as const,
  disableLogging: true,
  tmpDir: fileURLToPath(new URL('../node_modules/.cache/routes', import.meta.url)),
}
