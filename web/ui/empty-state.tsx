import { IconMoodEmpty } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MessageState } from './message-state.tsx'

type Props = { icon?: ReactNode; title: string; message?: ReactNode; action?: ReactNode; order?: 1 | 2 | 3 }

/** An empty list, and why it is empty. */
export function EmptyState({ icon = <IconMoodEmpty size={26} stroke={1.5} />, ...props }: Props) {
  return <MessageState icon={icon} {...props} />
}
