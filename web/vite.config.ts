import { constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'

/** Where `npm run dev` finds the gateway. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8000'

/**
 * What lies together in one file, the first that takes a module keeps it. Left alone the home screen lies in more than thirty, because lazy
 * parts share pieces of it: over HTTP/1.1, six at a time, that is a second more on a phone, and each compresses for itself.
 */
const files: Rolldown.CodeSplittingGroup[] = [
  // What the document runs first (app/early.ts).
  { name: 'early', test: /web\/app\/early\.ts$/, priority: 5 },
  // The libraries that come before any screen: whoever comes back after an update has them.
  { name: 'libraries', tags: ['$initial'], test: /node_modules\/.*(?<!\.css)$/, priority: 4 },
  // And the rest of it.
  { name: 'shell', tags: ['$initial'], priority: 3 },
  // A few hundred bytes each, and styles that come with nothing else.
  {
    name: 'small',
    test: /@tabler|lib\/(sqlstate|is-id)|texts\/(safety|units)|(list-skeleton|load-more|marks)\.module\.css/,
    minShareCount: 2,
    priority: 2,
    includeDependenciesRecursively: false,
  },
  // What most screens need. Forms are for those that have one.
  {
    name: 'common',
    test: /^(?!.*(@mantine\/form|use-app-form|Textarea|NativeSelect|Input))/,
    minShareCount: 12,
    priority: 2,
    includeDependenciesRecursively: false,
  },
  // What posts share with the screens that show none, and their styles, which need no file of their own beside it.
  {
    name: 'shared',
    test: /texts\/(posts|subscriptions)|ui\/(ago|attach-stream|video-player|blurred-preview\.module)|lib\/(media-links|monetization|share|use-ask-to-sign-in)|safety\/more-(button|trigger)|payments\/(paid|attempts|use-checkout|give-tip)|posts\/(post-image|post-video|describe-media|(?!lightbox).*\.module\.css)/,
    priority: 2,
    includeDependenciesRecursively: false,
  },
  // The rest of what a list of posts is made of.
  { name: 'posts', test: /features\/posts\/post-list\.tsx$|subscriptions\/queries/, priority: 1 },
]

/**
 * A browser skims most functions of a file and reads them again, on its main thread, when they are first called. In the files of the first
 * screen nearly all of them are called at once: with this line, which has to stand before all code, they are compiled in the background
 * while the file comes in. To other browsers it is a comment (https://developer.chrome.com/blog/explicit-compile-hints).
 */
const compileAtOnce = ({ name }: Rolldown.RenderedChunk): string =>
  files.some((group) => group.name === name) ? '//# allFunctionsCalledOnLoad\n' : ''

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
        codeSplitting: { groups: files },
        postBanner: compileAtOnce,
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
