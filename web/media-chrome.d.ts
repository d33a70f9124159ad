import type { DetailedHTMLProps, HTMLAttributes } from 'react'

/** An element of media-chrome, which `ui/video-player.tsx` and `ui/video-controls.tsx` use by their tags. */
type MediaElement<Attribute extends string = never> = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> &
  Partial<Record<Attribute, string>>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'media-controller': MediaElement
      'media-loading-indicator': MediaElement<'noautohide'>
      'media-control-bar': MediaElement
      'media-play-button': MediaElement<'notooltip'>
      'media-mute-button': MediaElement<'notooltip'>
      'media-volume-range': MediaElement
      'media-time-range': MediaElement
      'media-time-display': MediaElement<'showduration'>
      'media-captions-menu': MediaElement<'anchor'>
      'media-captions-menu-button': MediaElement<'notooltip'>
      'media-playback-rate-menu': MediaElement<'anchor' | 'rates'>
      'media-playback-rate-menu-button': MediaElement<'notooltip'>
      'media-pip-button': MediaElement<'notooltip'>
      'media-fullscreen-button': MediaElement<'notooltip'>
    }
  }
}
