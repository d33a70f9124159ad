import { ActionIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { Ref } from 'react'

type Props = {
  label: string
  icon: Icon
  /** Of a button that stays pressed. */
  pressed?: boolean
  disabled?: boolean
  className?: string | undefined
  ref?: Ref<HTMLButtonElement>
  onClick: () => void
}

/** A button beside the message field. */
export function ComposerButton({ label, icon: Icon, pressed, ...rest }: Props) {
  return (
    <ActionIcon
      variant={pressed ? 'light' : 'subtle'}
      color={pressed ? undefined : 'gray'}
      size={44}
      radius="xl"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      {...rest}
    >
      <Icon size={22} stroke={1.6} />
    </ActionIcon>
  )
}
