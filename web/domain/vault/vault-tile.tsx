import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconCheck, IconMicrophone, IconPhoto, IconPlayerPlayFilled, IconVideo } from '@tabler/icons-react'
import { type MouseEvent, memo, useRef, useState } from 'react'
import { formatLength } from '../../lib/format/format-length.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { sized } from '../../lib/media/media-links.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import { fileNameOf } from './file-name.ts'
import type { VaultFile } from './queries.ts'
import classes from './vault-grid.module.css'

const icons = { image: IconPhoto, video: IconVideo, audio: IconMicrophone }

/** How a tile was pressed: with a key that extends or starts a selection, or for long. */
export type TilePress = { shift: boolean; select: boolean }

type Props = {
  file: VaultFile
  link: string | undefined
  /** Undefined where tiles open a file instead of being chosen. */
  chosen?: boolean | undefined
  disabled?: boolean
  /** How the fan for whom files are chosen already got it. */
  received?: string | undefined
  /** Stable, so that selecting a file renders its tile only. */
  onPress: (file: VaultFile, link: string | undefined, press: TilePress) => void
}

/** A file in the grid: a square of its picture or poster. */
export const VaultTile = memo(function VaultTile({ file, link, chosen, disabled = false, received, onPress }: Props) {
  const [broken, setBroken] = useState<string>()
  const { kind, preview, duration, earned_cents } = file
  const Icon = icons[kind]
  const longPress = useLongPress(() => onPress(file, link, { shift: false, select: true }))
  const press = ({ shiftKey, ctrlKey, metaKey }: MouseEvent) => {
    if (longPress.wasLong()) return
    onPress(file, link, { shift: shiftKey, select: shiftKey || ctrlKey || metaKey })
  }
  return (
    <button
      type="button"
      className={classes.tile}
      aria-label={[fileNameOf(file), received].filter(Boolean).join(', ')}
      aria-pressed={chosen}
      disabled={disabled}
      onClick={press}
      {...longPress.handlers}
    >
      {preview ? (
        <BlurredPreview preview={preview} />
      ) : (
        <span className={classes.missing}>
          <Icon size={28} stroke={1.4} aria-hidden="true" />
        </span>
      )}
      {/* A video without a poster has no picture, and a voice message never has one. */}
      {link && broken !== link && (kind === 'image' || preview) && (
        <img
          src={sized(link, 480)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(link)}
        />
      )}
      {earned_cents > 0 && !received && (
        <span className={classes.earned} title={vaultTexts.earned(formatCents(earned_cents))}>
          {formatCents(earned_cents)}
        </span>
      )}
      {received && (
        <span className={classes.received}>
          {/* When and for how much have a line each. */}
          {received.split(' · ').map((line) => (
            <span key={line}>{line}</span>
          ))}
        </span>
      )}
      {kind !== 'image' && (
        <span className={classes.length}>
          <IconPlayerPlayFilled size={11} aria-hidden="true" />
          {duration !== null && formatLength(duration)}
        </span>
      )}
      {chosen !== undefined && (
        <span className={classes.check} aria-hidden="true">
          <IconCheck size={15} stroke={3} />
        </span>
      )}
    </button>
  )
})

/** As long as phones wait before they show a menu. */
const longPressMs = 500

/** A finger that stays. The click that follows its end is part of it. */
function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const long = useRef(false)
  const stop = () => clearTimeout(timer.current)
  return {
    wasLong: () => long.current,
    handlers: {
      onPointerDown: ({ pointerType }: { pointerType: string }) => {
        stop()
        long.current = false
        if (pointerType === 'mouse') return
        timer.current = setTimeout(() => {
          long.current = true
          onLongPress()
        }, longPressMs)
      },
      onPointerUp: stop,
      onPointerCancel: stop, // the page scrolls
      onPointerLeave: stop,
      // The browser's own long press.
      onContextMenu: (event: MouseEvent) => {
        if (long.current) event.preventDefault()
      },
    },
  }
}
