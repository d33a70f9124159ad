import { Button } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MessageState } from './message-state.tsx'

type Props = {
  title: string
  message?: ReactNode
  onRetry: () => void
  /** True while the retry runs. */
  retrying?: boolean
  order?: 1 | 2 | 3
}

/** A list that failed to load, with a retry button. Announced, because it may replace older content. */
export function ErrorState({ title, message = commonTexts.offline, onRetry, retrying, order }: Props) {
  return (
    <div role="alert">
      <MessageState
        icon={<IconCloudOff size={26} stroke={1.5} />}
        title={title}
        message={message}
        order={order}
        action={
          <Button variant="default" onClick={onRetry} loading={retrying}>
            {commonTexts.retry}
          </Button>
        }
      />
    </div>
  )
}
