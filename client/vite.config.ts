import { fileURLToPath } from 'node:url'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { bootTexts } from './boot-texts.ts'
import { routerOptions } from './router-options.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** The two faces every first screen needs are asked for beside the script, not after the style sheet. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => /inter-(latin|cyrillic)-wght-normal.*\.woff2$/.test(name))
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

/** The loader is in the page itself, so it can run before the first script arrives. */
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
  plugins: [tanstackRouter(routerOptions), react(), loaderTexts(), preloadFonts()],
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    target: 'es2023',
    manifest: true,
  },
  server: { host: '127.0.0.1', strictPort: true },
})
