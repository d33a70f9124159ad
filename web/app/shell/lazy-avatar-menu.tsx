import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useIdle } from '../../lib/browser/use-idle.ts'
import { AvatarButton } from './avatar-button.tsx'
import type { AvatarMenuProps } from './avatar-menu.tsx'

/**
 * The avatar, and its menu once the screen is idle or the user clicks it: the menu's code is a tenth of the app's, and nobody
 * opens it first.
 */
export function LazyAvatarMenu() {
  const quiet = useIdle()
  const [asked, setAsked] = useState(0)
  const [menu, setMenu] = useState<AvatarMenuProps & { Menu: ComponentType<AvatarMenuProps> }>()
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!quiet && asked === 0) return
    let wanted = true
    import('./avatar-menu.tsx').then(
      ({ default: Menu }) =>
        wanted && setMenu({ Menu, opened: asked > 0, focused: document.activeElement === button.current }),
      () => undefined, // the button stays; the next click tries again
    )
    return () => {
      wanted = false
    }
  }, [quiet, asked])

  if (menu) return <menu.Menu opened={menu.opened} focused={menu.focused} />
  return (
    <AvatarButton
      ref={button}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setAsked((times) => times + 1)}
    />
  )
}
