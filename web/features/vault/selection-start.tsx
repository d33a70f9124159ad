import { Button } from '@mantine/core'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconSquareCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import classes from './vault-screen.module.css'

const { selection: texts } = vaultTexts

type Props = { isSelecting: boolean; disabled: boolean; onStart: () => void }

/** Begins to select files, and then says how. */
export function SelectionStart({ isSelecting, disabled, onStart }: Props) {
  const hint = useRef<HTMLParagraphElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const was = useRef(isSelecting)
  // Select and Done disappear with the focus.
  useEffect(() => {
    if (was.current !== isSelecting && document.activeElement === document.body)
      (isSelecting ? hint : button).current?.focus({ preventScroll: true })
    was.current = isSelecting
  }, [isSelecting])
  return (
    <div className={classes.tools}>
      {isSelecting ? (
        <p className={classes.hint} ref={hint} tabIndex={-1}>
          {texts.hint} <span className={classes.byKeyboard}>{texts.rangeHint}</span>
        </p>
      ) : (
        <Button
          ref={button}
          variant="subtle"
          px="xs"
          leftSection={<IconSquareCheck size={18} stroke={1.6} />}
          disabled={disabled}
          onClick={onStart}
        >
          {texts.start}
        </Button>
      )}
    </div>
  )
}
