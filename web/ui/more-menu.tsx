import { Menu } from '@mantine/core'
import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import { MoreTrigger } from './more-trigger.tsx'

export type MoreAction = {
  label: string
  icon: ComponentType<{ size: number; stroke: number }>
} & ({ onSelect: () => void } | { /** Not a screen of the app: it opens in a tab of its own. */ href: string })

type Props = {
  label: string
  actions: MoreAction[]
  /** Items that come before the actions, and look otherwise. */
  top?: ReactNode
  pending?: boolean | undefined
}

/** Mounted when it opens. */
export default function MoreMenu({ label, actions, top, pending }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(true)
  return (
    <Menu
      opened={opened}
      // Not Mantine's `disabled`, which recreates the button and loses the focus.
      onChange={(next) => setOpened(next && !pending)}
      // Mantine restores the focus only after closing. A dialog that an item opens has to find the focus on the button.
      onClose={() => button.current?.focus({ preventScroll: true })}
      position="bottom-end"
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus={false}
      // Mantine's focus placeholder isn't a menu item; the first item gets the focus.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <MoreTrigger ref={button} label={label} pending={pending} />
      </Menu.Target>
      <Menu.Dropdown>
        {top}
        {actions.map(({ label, icon: Icon, ...does }) =>
          'href' in does ? (
            <Menu.Item
              key={label}
              leftSection={<Icon size={18} stroke={1.6} />}
              component="a"
              href={does.href}
              target="_blank"
            >
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item key={label} leftSection={<Icon size={18} stroke={1.6} />} onClick={does.onSelect}>
              {label}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
