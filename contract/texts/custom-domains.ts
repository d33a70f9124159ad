/** A creator's own domain (PAGE-02). */
export const customDomainTexts = {
  title: 'Your own domain',
  message:
    'People who open your domain see your profile there. To subscribe, buy, or write, they continue on this site.',
  loadFailed: "Couldn't load your domain",
  domain: 'Domain',
  domainHint: 'A domain that you own, such as studio.example.com',
  invalid: 'Enter a domain, such as studio.example.com',
  add: 'Add domain',
  addFailed: "Couldn't add the domain",
  steps: {
    title: 'At the provider of your domain:',
    address: (host: string) =>
      `Point the domain at this site, with a CNAME record that leads to ${host} (or the records that the operator names).`,
    record: 'Add this TXT record, which proves that the domain is yours:',
    name: 'Name',
    value: 'Value',
  },
  copy: 'Copy',
  copyPart: (part: string) => `Copy ${part.toLowerCase()}`,
  copied: 'Copied',
  verify: 'Check now',
  verifyFailed: "Couldn't check the domain",
  verified: 'Your domain is connected',
  states: {
    connected: 'Connected',
    pending: 'Waiting for the record',
    missing: 'Record not found',
  },
  notFound: "The record isn't there yet. New records can take up to an hour to appear.",
  lost: (day: string) => `The record has been missing since ${day}. After three days, your domain stops leading here.`,
  remove: 'Remove domain',
  removeTitle: 'Remove your domain?',
  removeFailed: "Couldn't remove the domain",
  removed: 'Domain removed',
  confirmRemove: (domain: string) => `${domain} will no longer lead to your profile.`,
} as const
