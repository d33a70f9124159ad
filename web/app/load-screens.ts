import { screens as addresses } from '@ovation/contract/screens'
import type { ScreenModule, ScreenRoute } from './router.ts'
import { Shell } from './shell/shell.tsx'

const modules = import.meta.glob<ScreenModule>('./routes/*.{ts,tsx}')

/** Every screen with its path (contract/screens.ts). Each loads its code when it first opens. */
export const screens: ScreenRoute[] = [
  {
    Component: Shell,
    children: [
      ...addresses.map(({ pattern, module }) => ({ path: pattern, load: loaderOf(module) })),
      { path: '*', load: () => import('./unknown-address.ts') },
    ],
  },
]

function loaderOf(module: string): () => Promise<ScreenModule> {
  const load = modules[`./routes/${module}.ts`] ?? modules[`./routes/${module}.tsx`]
  if (!load) throw new Error(`web/app/routes has no ${module}, which contract/screens.ts names.`)
  let loaded: ScreenModule | undefined
  // `import` takes a while also for what has been loaded.
  return async () => {
    loaded ??= await load()
    return loaded
  }
}
