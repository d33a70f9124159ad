import { fileURLToPath } from 'node:url'
import { constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Rolldown, type UserConfig } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { chunksOf, findParts } from './build/find-parts.ts'
import { layOutFiles } from './build/lay-out-files.ts'
import { offlineFiles } from './build/offline-files.ts'
import { screenFiles } from './build/screen-files.ts'
import { themeVariables } from './build/theme-variables.ts'

/** Where `npm run dev` finds the gateway. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8000'

/** The files that come before every screen. A group with a higher priority keeps a module. */
const shellFiles: Rolldown.CodeSplittingGroup[] = [
  // The first script of the document, with its imports.
  { name: 'early', test: (id) => id === fileURLToPath(new URL('app/early.ts', import.meta.url)), priority: 3 },
  // The libraries, which a returning visitor has cached after an update of the app.
  { name: 'libraries', tags: ['$initial'], test: /node_modules\/.*(?<!\.css)$/, priority: 2 },
  { name: 'shell', tags: ['$initial'], priority: 1 },
]

/**
 * How much code, before it's minified, a request is worth: some 2 kB on the wire. Over HTTP/1.1 a browser asks for six files at a time, and
 * each compresses for itself. Left alone, Rolldown makes a file for every set of screens that share a module, more than thirty for home.
 */
const requestBytes = 8_000
/** How much of it a screen may load for the sake of others: some 8 kB on the wire. */
const carriedBytes = 30_000

/**
 * The files that screens share. They follow from the module graph alone: a first build, neither minified nor written, shows what each screen
 * needs, so renaming or moving a module can't change what loads before a screen.
 */
async function sharedFiles(): Promise<Rolldown.CodeSplittingGroup> {
  const rolldownOptions = { output: { codeSplitting: { groups: shellFiles } } }
  const first = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), themeVariables()],
    build: { ...buildOptions, write: false, minify: false, cssMinify: false, rolldownOptions },
  })
  if (!('output' in first)) throw new Error('Vite built nothing.')
  const names = new Map(
    layOutFiles(findParts(chunksOf(first.output)), requestBytes, carriedBytes).flatMap((modules, index) =>
      modules.map((id) => [id, `shared-${index}`]),
    ),
  )
  return { name: (id) => names.get(id) ?? null, includeDependenciesRecursively: false }
}

/**
 * Browsers skim most functions of a file and parse them again, on the main thread, when they are first called. The files of the first
 * screen call nearly all of theirs at once. With this line, which has to come before all code, they compile in the background
 * while the file loads. Other browsers see a comment (https://developer.chrome.com/blog/explicit-compile-hints).
 */
const compileAtOnce = ({ name }: Rolldown.RenderedChunk): string =>
  name.startsWith('shared-') || shellFiles.some((group) => group.name === name) ? '//# allFunctionsCalledOnLoad\n' : ''

/** The shell lists all files that load later, so only the first ones and the screens' have names to read, and a hash has 42 bits. */
const nameFile = (chunk: Rolldown.PreRenderedChunk): string =>
  chunk.facadeModuleId?.includes('/app/routes/') ||
  chunk.name.startsWith('shared-') ||
  shellFiles.some(({ name }) => name === chunk.name)
    ? 'assets/[name]-[hash:7].js'
    : 'assets/[hash:7].js'

const buildOptions = {
  target: 'es2022',
  // A file that becomes a data: URL would need a wider content security policy.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  // One style sheet of 50 kB on the wire. A page that the server has rendered waits for all styles that it could need, so a file
  // for each part of a screen would mean dozens of requests before the first paint.
  cssCodeSplit: false,
  reportCompressedSize: false,
} as const

/** Large packages that no page for visitors renders with. */
const browserOnly = [
  '@mantine/charts',
  'hls.js',
  'media-chrome',
  'react-easy-crop',
  'recharts',
  'tus-js-client',
  'yet-another-react-lightbox',
]

/** The build that the server renders with (app/server-page.tsx). It has its packages in it: some load style sheets, which Node can't. */
const serverBuild: UserConfig = {
  root: import.meta.dirname,
  plugins: [react(), themeVariables()],
  publicDir: false,
  // Otherwise React would ask at run time, and its development build takes three times as long to render.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  ssr: { noExternal: true, external: browserOnly },
  build: { target: 'node24', minify: false, rolldownOptions: { output: { entryFileNames: '[name].js' } } },
}

const browserBuild = async (command: 'build' | 'serve'): Promise<UserConfig> => ({
  root: import.meta.dirname,
  plugins: [
    react(),
    themeVariables(),
    screenFiles(),
    offlineFiles(),
    // Once at build time, not for each request. A higher quality saves 8% more and takes the first start 15 s instead of a quarter of one;
    // gzip is for browsers without TLS, which accept nothing else.
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
    ...buildOptions,
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: command === 'build' ? [...shellFiles, await sharedFiles()] : shellFiles },
        chunkFileNames: nameFile,
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
        '/feeds',
        '^/profile/[^/]+/feed\\.(xml|json)$',
      ].map((path) => [path, { target: gateway, ws: path === '/realtime/v1' }]),
    ),
  },
})

export default defineConfig(({ command, isSsrBuild }) => (isSsrBuild ? serverBuild : browserBuild(command)))
