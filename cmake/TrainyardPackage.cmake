# What is installed, and the Debian packages made of it (packaging/package): trainyard, the headless program, and
# trainyard-workbench, the window, which stands on it. The programs find their resources and the engine's module
# relative to themselves.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME trainyard)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # packages need the programs, not the tests

install(TARGETS trainyard RUNTIME)
install(DIRECTORY resources/presets DESTINATION "${CMAKE_INSTALL_DATADIR}/trainyard")
install(FILES packaging/man/trainyard.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES packaging/copyright NOTICE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(packages trainyard)
if(TARGET trainyard-workbench AND TARGET trainyard_workbench_engine)
    set(window trainyard-workbench)
    list(APPEND packages ${window})
    install(TARGETS trainyard-workbench RUNTIME COMPONENT ${window})
    install(TARGETS trainyard_workbench_engine
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/trainyard" COMPONENT ${window})
    install(FILES packaging/man/trainyard-workbench.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT ${window})
    install(FILES packaging/copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${window}" COMPONENT ${window})
    install(FILES packaging/io.github.trainyard.Workbench.desktop
        DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT ${window})
    install(FILES packaging/io.github.trainyard.Workbench.metainfo.xml
        DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" COMPONENT ${window})
    install(FILES resources/icons/trainyard.svg
        DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" COMPONENT ${window})
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL ${packages})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_PACKAGE_CONTACT "Trainyard's authors <trainyard@example.org>")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_TRAINYARD_PACKAGE_NAME trainyard)
set(CPACK_DEBIAN_TRAINYARD_PACKAGE_RECOMMENDS
    "fonts-dejavu-core, fonts-liberation2, fonts-freefont-ttf, fonts-urw-base35")
set(CPACK_COMPONENT_TRAINYARD_DESCRIPTION "Trains, evaluates and resumes without a screen; runs and checkpoints are kept
in a project, and any of them can be found, compared and continued later.")
set(CPACK_DEBIAN_TRAINYARD-WORKBENCH_PACKAGE_NAME trainyard-workbench)
set(CPACK_DEBIAN_TRAINYARD-WORKBENCH_PACKAGE_DEPENDS "trainyard (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_TRAINYARD-WORKBENCH_PACKAGE_RECOMMENDS "qt6-qpa-plugins, qt6-svg-plugins | libqt6svg6")
set(CPACK_COMPONENT_TRAINYARD-WORKBENCH_DESCRIPTION "The window of Trainyard: edit a configuration, press Start, watch losses and
gradients move while the network learns, come back to any run later.")
include(CPack)
