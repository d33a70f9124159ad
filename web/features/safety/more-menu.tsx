import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { MoreAction } from './more-button.tsx'

type Props = { label: string; actions: MoreAction[]; onClose: () => void }

/** Mounted open; closing takes it off the page and gives the place back to the plain button. */
export default function MoreMenu({ label, actions, onClose }: Props) {
  return (
    <Menu
      defaultOpened
      onClose={onClose}
      position="bottom-end"
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
      // Mantine's place for the first focus is no item of a menu; the first item takes it.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} radius="xl" aria-label={label}>
          <IconDots size={20} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon: Icon, onSelect }) => (
          <Menu.Item key={label} leftSection={<Icon size={18} stroke={1.6} />} onClick={onSelect}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
