import {
  profileLinkLabelMaxLength,
  profileLinksMax,
  profileLinkUrlMaxLength,
  welcomeMaxLength,
} from '../profile-layouts.ts'

/** A creator's own profile, in the settings (PAGE-01). */
export const pageSettingsTexts = {
  title: 'Your page',
  message: 'How your profile looks to everyone.',
  loadFailed: "Couldn't load your page settings",
  submit: 'Save page',
  saved: 'Your page is saved',
  failed: "Couldn't save your page",

  color: {
    label: 'Accent color',
    hint: 'A color code such as #1f5f99. Leave it empty for the usual color.',
    pick: 'Pick a color',
    reset: 'Use the usual color',
    wrong: 'Use a color code such as #1f5f99',
    light: 'Light',
    dark: 'Dark',
    button: 'Subscribe',
    tab: 'Posts',
    link: 'Link',
    preview: 'Preview of your color',
    adjusted: 'We adjust the color where it would be hard to read.',
  },

  welcome: {
    label: 'Welcome message',
    hint: `Shown to people who don't follow you yet. Up to ${welcomeMaxLength} characters.`,
    long: `Use ${welcomeMaxLength} characters or fewer`,
    video: 'Welcome video',
    videoHint: 'One of your free posts with a video.',
  },

  posts: {
    featured: 'Featured post',
    featuredHint: 'Shown above your other posts.',
    search: 'Search your posts by title',
    none: 'None',
    untitled: (date: string) => `Post from ${date}`,
    loadFailed: "Couldn't load your posts.",
  },

  tabs: {
    label: 'Order of the tabs',
    hint: 'The first tab is open when people come to your profile.',
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    moved: (name: string, place: number, of: number) => `${name}: ${place} of ${of}`,
  },

  facts: {
    label: 'Beside your plans',
    subscribers: 'Show how many subscribers I have',
    posts: 'Show how many posts are for subscribers',
  },

  links: {
    title: 'Your links',
    message: `Up to ${profileLinksMax} links to your other sites, shown below your bio.`,
    loadFailed: "Couldn't load your links",
    label: 'Label',
    url: 'Address',
    numbered: (place: number) => `Link ${place}`,
    add: 'Add link',
    remove: (place: number) => `Remove link ${place}`,
    submit: 'Save links',
    saved: 'Links saved',
    failed: "Couldn't save your links",
    errors: {
      labelMissing: 'Enter a label',
      labelLong: `Use ${profileLinkLabelMaxLength} characters or fewer`,
      urlWrong: 'Use a web address that starts with https://',
      urlLong: `Use ${profileLinkUrlMaxLength} characters or fewer`,
      urlTwice: 'This link is already in the list',
    },
    verifying: {
      title: 'Verify a link',
      message: "Paste this on the other site to prove that it's yours, then check it here. We check again every week.",
      copy: 'Copy HTML',
      verified: 'Verified',
      unverified: 'Not verified',
      check: 'Check',
      checkNamed: (label: string) => `Check ${label}`,
      outcomes: {
        confirmed: (label: string) => `${label} is verified`,
        missing: (label: string) => `${label} doesn't link back to your profile yet`,
        unreachable: (label: string) => `We couldn't read ${label}. Try again later.`,
      },
      failed: "Couldn't check this link",
    },
  },
} as const
