import { ActionIcon } from '@mantine/core'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { IconDots } from '@tabler/icons-react'
import { type ComponentType, lazy, Suspense, useState } from 'react'

const MoreMenu = lazy(() => import('./more-menu.tsx'))

export type MoreAction = {
  label: string
  icon: ComponentType<{ size: number; stroke: number }>
  onSelect: () => void
}

/** Opens a menu of what is rarely done. The menu's code loads with the first press, and stays: its button is where the focus returns to. */
export function MoreButton({ label = safetyTexts.more, actions }: { label?: string; actions: MoreAction[] }) {
  const [isAsked, setAsked] = useState(false)
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      radius="xl"
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      onClick={() => setAsked(true)}
    >
      <IconDots size={20} stroke={1.7} />
    </ActionIcon>
  )
  if (actions.length === 0) return null
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <MoreMenu label={label} actions={actions} />
    </Suspense>
  )
}
