/** A Content-Disposition header value with the name in ASCII and, per RFC 5987, in UTF-8. The name may be any text. */
export function contentDisposition(type: 'inline' | 'attachment', fileName: string): string {
  const name = Buffer.from(fileName)
    .toString()
    .replace(/\p{Cc}/gu, '_')
  const ascii = name.replace(/[^ -~]|["\\%/]/gu, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
