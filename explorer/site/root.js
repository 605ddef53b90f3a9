// Runs at the start of a page of the static site (site.py): redirects to the page in the language of ?lang=; the first
// page also redirects to the stored language, or else to the browser's.
(() => {
  const { pages, here, first } = PAGES, address = new URL(location.href);
  const remembered = () => {
    try {
      return localStorage.getItem("attention-explorer:language");
    } catch (refused) {
      if (refused instanceof DOMException) return null; // storage is disabled
      throw refused;
    }
  };
  const requested = address.searchParams.get("lang");
  const browsers = navigator.languages.map((code) => code.split("-")[0]);
  const wanted = [requested, ...(here === first ? [remembered(), ...browsers] : []), here].find((code) =>
    Object.hasOwn(pages, code),
  );
  if (wanted === here) return;
  const page = new URL(pages[wanted], address);
  page.search = address.search;
  location.replace(page);
})();
