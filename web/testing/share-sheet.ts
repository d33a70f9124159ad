import { onTestFinished } from 'vitest'

/** Gives the device a share sheet until the test ends. */
export function giveShareSheet(share: (data: ShareData) => Promise<void>): void {
  Object.assign(navigator, { canShare: () => true, share })
  onTestFinished(() => {
    for (const name of ['canShare', 'share']) Reflect.deleteProperty(navigator, name)
  })
}
