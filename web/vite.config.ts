import { constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'

/** Where `npm run dev` finds the gateway. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    // Once here, not for each request. A higher quality saves 8 % more and takes the first start 15 s instead of a quarter of one;
    // gzip is for browsers that reach the product without TLS, which ask for nothing else.
    compression({
      include: /\.(js|css|svg|webmanifest)$/,
      threshold: 1024,
      algorithms: [
        defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
        defineAlgorithm('gzip', { level: 9 }),
      ],
    }),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // A file that becomes a data: URL would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      output: {
        // All that comes before any screen in one file. Left alone it lies in some twenty, because lazy parts share pieces of it:
        // over HTTP/1.1 that is three rounds of requests more, and each compresses for itself.
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'] },
            // A few hundred bytes each, and ten of them before the feed.
            { name: 'icons', test: /@tabler/, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      [
        '/app-config.json',
        '/manifest.webmanifest',
        '/auth/v1',
        '/rest/v1',
        '/storage/v1',
        '/functions/v1',
        '/realtime/v1',
        '/sandbox',
      ].map((path) => [path, { target: gateway, ws: path === '/realtime/v1' }]),
    ),
  },
})
