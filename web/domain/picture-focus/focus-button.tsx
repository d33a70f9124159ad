import { Button } from '@mantine/core'
import { focusTexts as texts } from '@ovation/contract/texts/picture-focus'
import { IconFocusCentered } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Focus } from '../posts/queries.ts'

const FocusDialog = lazy(() => import('./focus-dialog.tsx'))

type Props = {
  /** The picture's label. */
  picture: string
  url: string
  value: Focus | undefined
  disabled: boolean
  onChange: (value: Focus) => void
}

/** Opens the dialog that sets a picture's focus point (LOOP-11). */
export function FocusButton({ picture, url, value, disabled, onChange }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        ml={-8}
        leftSection={<IconFocusCentered size={18} stroke={1.6} aria-hidden="true" />}
        aria-label={(value ? texts.changeFor : texts.openFor)(picture)}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {value ? texts.change : texts.open}
      </Button>
      {open && (
        <Suspense>
          <FocusDialog url={url} value={value} onChange={onChange} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
