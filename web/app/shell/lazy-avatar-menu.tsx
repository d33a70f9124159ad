import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useIdle } from '../../lib/browser/use-idle.ts'
import { AvatarButton } from './avatar-button.tsx'
import type { AvatarMenuProps } from './avatar-menu.tsx'

/**
 * The avatar. Its menu loads once the screen is idle or the user clicks it, because its code is a tenth of the app's and rarely needed
 * first.
 */
export function LazyAvatarMenu() {
  const isIdle = useIdle()
  const [clicks, setClicks] = useState(0)
  const [menu, setMenu] = useState<AvatarMenuProps & { Menu: ComponentType<AvatarMenuProps> }>()
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isIdle && clicks === 0) return
    let wanted = true
    import('./avatar-menu.tsx').then(
      ({ default: Menu }) =>
        wanted && setMenu({ Menu, opened: clicks > 0, focused: document.activeElement === button.current }),
      () => undefined, // the button stays; the next click tries again
    )
    return () => {
      wanted = false
    }
  }, [isIdle, clicks])

  if (menu) return <menu.Menu opened={menu.opened} focused={menu.focused} />
  return (
    <AvatarButton
      ref={button}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setClicks((times) => times + 1)}
    />
  )
}
