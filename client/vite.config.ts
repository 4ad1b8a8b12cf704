import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { assignChunks, chunkGroups } from './chunks.ts'
import { featureIndex } from './needs.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Used by `build.ts --routes` too, so that both write the same route tree. */
export const routerOptions = {
  target: 'react' as const,
  autoCodeSplitting: true,
  routesDirectory: fileURLToPath(new URL('src/routes', import.meta.url)),
  generatedRouteTree: fileURLToPath(new URL('src/routeTree.gen.ts', import.meta.url)),
  quoteStyle: 'single' as const,
  disableLogging: true,
  tmpDir: fileURLToPath(new URL('../node_modules/.cache/routes', import.meta.url)),
}

/** The two fonts of every first screen are preloaded with the script instead of after the style sheet. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => /inter-(latin|cyrillic)-wght-normal/.test(name) && name.endsWith('.woff2'))
          .map((name) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${name}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: '',
            },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

const languages = ['ru', 'en'] as const

/** The loader's texts in every language; the style sheet shows those of the page's language. */
function bootTexts(): string {
  return languages
    .map((language) => {
      const file = new URL(`../shared/i18n/locales/${language}/common.json`, import.meta.url)
      const { loader } = JSON.parse(readFileSync(file, 'utf8')) as { loader: Record<string, string> }
      return `<div class="loader-words" lang="${language}"><p>${loader['message']}</p><strong>${loader['loading']}</strong><small>${loader['hint']}</small></div>`
    })
    .join('')
}

/** The loader is inlined into the HTML, so that it runs before the first script arrives. */
function loaderTexts(): Plugin {
  return {
    name: 'loader-texts',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('<!--loader-texts-->', bootTexts()),
    },
  }
}

export default defineConfig({
  root,
  plugins: [tanstackRouter(routerOptions), react(), loaderTexts(), preloadFonts(), assignChunks()],
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    manifest: true,
    // Benchmarks limit the size of the first load; a warning at `npm start` would only confuse new users.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Of a feature's index only what is imported counts as needed.
      treeshake: { moduleSideEffects: [{ test: featureIndex, sideEffects: false }] },
      output: {
        // The first load lists every chunk: hashes without names take half the bytes. The manifest has both.
        chunkFileNames: 'assets/[hash:8].js',
        assetFileNames: ({ names }) => (names[0]?.endsWith('.css') === true ? 'assets/[hash:8][extname]' : 'assets/[name]-[hash][extname]'),
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
  server: { host: '127.0.0.1', strictPort: true },
})
