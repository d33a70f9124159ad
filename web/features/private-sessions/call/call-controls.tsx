import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import {
  type Icon,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
  IconSettings,
  IconVideo,
  IconVideoOff,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './call.module.css'
import type { Media, MediaKind } from './use-media.ts'

const texts = sessionTexts.call
const kinds = [
  { kind: 'audio', labels: texts.microphone, on: IconMicrophone, off: IconMicrophoneOff },
  { kind: 'video', labels: texts.camera, on: IconVideo, off: IconVideoOff },
] as const

/** Turns microphone and camera on and off, chooses the devices, and leaves a call. */
export function CallControls({ media, onLeave }: { media: Media; onLeave?: () => void }) {
  return (
    <div className={classes.controls} role="toolbar" aria-label={texts.title}>
      {kinds.map(({ kind, labels, on, off }) => {
        const isOn = media.tracks[kind] !== null
        return (
          <Control
            key={kind}
            label={isOn ? labels.on : labels.off}
            icon={isOn ? on : off}
            tone={isOn ? 'on' : 'off'}
            onClick={() => media.toggle(kind)}
          />
        )
      })}
      <DeviceMenu media={media} />
      {onLeave && <Control label={texts.leave} icon={IconPhoneOff} tone="leave" onClick={onLeave} />}
    </div>
  )
}

type ControlProps = { label: string; icon: Icon; tone: 'on' | 'off' | 'leave'; onClick?: () => void }

function Control({ label, icon: Picture, tone, onClick }: ControlProps) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon
        size={52}
        radius="xl"
        className={classes.control}
        data-tone={tone}
        aria-label={label}
        onClick={onClick}
      >
        <Picture size={24} stroke={1.75} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  )
}

function DeviceMenu({ media }: { media: Media }) {
  return (
    // Fixed, because the stage around it clips anything taller than itself.
    <Menu
      position="top"
      shadow="md"
      radius="lg"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      floatingStrategy="fixed"
      width={260}
    >
      <Menu.Target>
        <ActionIcon size={52} radius="xl" className={classes.control} data-tone="on" aria-label={texts.devices}>
          <IconSettings size={24} stroke={1.75} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Choices media={media} input="audioinput" kind="audio" />
        <Choices media={media} input="videoinput" kind="video" />
      </Menu.Dropdown>
    </Menu>
  )
}

function Choices({
  media,
  input,
  kind,
}: {
  media: Media
  input: 'audioinput' | 'videoinput'
  kind: MediaKind
}): ReactNode {
  const found = media.devices.filter((device) => device.kind === input)
  const name = texts.deviceKinds[input]
  return (
    <>
      <Menu.Label>{name}</Menu.Label>
      {found.map(({ deviceId, label }, index) => (
        <Menu.RadioItem
          key={deviceId || index}
          value={deviceId}
          checked={deviceId === media.chosen[kind]}
          onClick={() => media.choose(kind, deviceId)}
        >
          {label || texts.unnamed(name, index + 1)}
        </Menu.RadioItem>
      ))}
    </>
  )
}
