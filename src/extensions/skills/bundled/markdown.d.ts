declare module "*.md" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: this is how the bundler gives a file that is imported as text
  export default text;
}
